package shop;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class OrdersTest {
  static void failInOddRuns() {
    String run = System.getenv("FLAKESTAT_RUN");
    assertEquals(0, (run == null ? 0 : Integer.parseInt(run)) % 2);
  }

  @Test void flaky() { failInOddRuns(); }

  @Test void flakySteadyLonger() {}

  @Test void listed_größe$() {}

  @Nested class Inner {
    @Test void steadyFlaky() {}

    @Test void listed() {}
  }
}
