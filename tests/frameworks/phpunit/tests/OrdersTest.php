<?php
use PHPUnit\Framework\TestCase;

class OrdersTest extends TestCase
{
    public function testFlaky() { $this->assertSame(0, ((int) getenv("FLAKESTAT_RUN")) % 2); }

    public function testFlakySteadyLonger() { $this->assertTrue(true); }

    /** @dataProvider names */
    public function testListed($name) { $this->assertNotSame("", $name); }

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
