/**
 * Tests of controllers and operators with JUnit Jupiter, against an API server in the test's JVM.
 */
@NullMarked
package dev.mooring.junit;

import org.jspecify.annotations.NullMarked;
