/** Measures the language of the sources and documents. Depends on the JDK and JUnit only. */
@org.jspecify.annotations.NullMarked
package dev.mooring.it.language;
