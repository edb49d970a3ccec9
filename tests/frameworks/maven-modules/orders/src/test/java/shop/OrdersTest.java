package shop;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class OrdersTest {
  @Test void flaky() {
    String run = System.getenv("FLAKESTAT_RUN");
    assertEquals(0, (run == null ? 0 : Integer.parseInt(run)) % 2);
  }

  @Test void flakySteadyLonger() {}
}
