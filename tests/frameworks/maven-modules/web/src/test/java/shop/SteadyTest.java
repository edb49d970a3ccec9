package shop;

import org.junit.jupiter.api.Test;

/** Its module needs the one with the flaky test, and runs all the same. */
class SteadyTest {
  @Test void flaky() {}
}
