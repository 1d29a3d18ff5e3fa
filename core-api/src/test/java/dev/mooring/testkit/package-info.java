/** What tests of plugins and controllers share: simulated time, contracts to extend. */
package dev.mooring.testkit;
