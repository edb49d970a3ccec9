package steady;

import org.junit.jupiter.api.Test;

class OrdersTest {
  @Test void flaky() {}
}
