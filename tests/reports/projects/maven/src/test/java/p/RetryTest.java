package p;

import static org.junit.jupiter.api.Assertions.*;

import org.junit.jupiter.api.Test;

/** Reruns happen in the same JVM, so a counter tells them apart. */
class RetryTest {
  static int tries;

  @Test void recovers() { assertEquals(2, ++tries); }
  @Test void neverRecovers() { fail("never"); }
  @Test void passes() {}
}
