<?php
use PHPUnit\Framework\TestCase;

class OrdersTest extends TestCase
{
    private function failInOddRuns(): void
    {
        $this->assertSame(0, ((int) getenv("FLAKESTAT_RUN")) % 2);
    }

    public function testFlaky() { $this->failInOddRuns(); }

    public function testFlakySteadyLonger() { $this->assertTrue(true); }

    /** @dataProvider names */
    public function testFlakyOdd($name) { $this->failInOddRuns(); }

    /** @dataProvider names */
    public function testSteady($name) { $this->assertNotSame("", $name); }

    public static function names()
    {
        $sets = [];
        foreach (["a b", "a/b", "[a/b]", "it's", '"q"', '$HOME', "*", "é", "(x)", "p|q"] as $name) {
            $sets[$name] = [$name];
        }
        return $sets;
    }
}
