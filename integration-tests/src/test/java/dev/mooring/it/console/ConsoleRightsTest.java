package dev.mooring.it.console;

import dev.mooring.it.MinimalRightsTests;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** Checks that the page alone works with exactly the rights declared for it. */
class ConsoleRightsTest {
  @TempDir private Path folder;

  @TestFactory
  Stream<DynamicTest> console_declaredRights_areSufficientAndNecessary() throws Exception {
    return new MinimalRightsTests(new ConsoleTrial(), folder).tests();
  }
}
