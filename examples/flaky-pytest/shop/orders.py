"""Orders are shipped by a worker thread."""

import os
import threading
import time


class Order:
    def __init__(self):
        self.state = "new"
        self._worker = threading.Thread(target=self._ship)

    def _ship(self):
        time.sleep(os.urandom(1)[0] / 255 * 0.02)  # a warehouse that takes up to 20 ms
        self.state = "shipped"

    def place(self):
        self.state = "placed"
        self._worker.start()

    def wait(self):
        self._worker.join()
