package dev.mooring.it.client;

import dev.mooring.it.ExternalMaven;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the tests of operators that are built outside this project, with other JUnit releases. */
class OperatorProjectsTest {
  @TempDir private Path folder;

  @Test
  void operatorProjects_testsWithEmbeddedServer_pass() throws IOException, InterruptedException {
    Path root = Path.of(System.getProperty("mooring.root", "..")).toAbsolutePath();
    Path projects = root.resolve("integration-tests/src/it/operator-projects");
    // tests in Maven's JVM: four more JVMs would take longer than the tests
    new ExternalMaven(folder)
        .run("cp -r '" + projects + "' operators; mvn -B -f operators test -DforkCount=0");
  }
}
