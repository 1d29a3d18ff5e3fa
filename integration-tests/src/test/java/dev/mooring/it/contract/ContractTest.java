package dev.mooring.it.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.apiserver.ApiServer;
import dev.mooring.it.ConcurrentTests;
import dev.mooring.it.ServerEndpoint;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Compares the embedded server with the recorded responses of a Kubernetes 1.36 API server. {@code
 * contract-exceptions.txt} lists the exceptions with their reasons. An exception without
 * differences fails. {@code RealClusterTest} runs the cases against other servers.
 */
class ContractTest {
  private final ConcurrentTests concurrentTests = new ConcurrentTests();

  @AfterEach
  void stop() {
    concurrentTests.stop();
  }

  @TestFactory
  Stream<DynamicTest> responses_ofEachCase_equalRecordedOnes() throws IOException {
    Set<String> exceptions = RecordedCases.exceptions();
    return concurrentTests.tests(
        RecordedCases.cases(), name -> compareCase(name, exceptions.contains(name)));
  }

  private static void compareCase(String name, boolean isException) throws Exception {
    try (ApiServer embedded = ApiServer.start(new ApiServer.ServerOptions(0, "tok", null))) {
      List<String> differences =
          RecordedCases.differences(name, ServerEndpoint.of(embedded.url(), "tok"));
      if (isException) {
        assertThat(differences).as("differences of a listed exception").isNotEmpty();
      } else {
        assertThat(differences).isEmpty();
      }
    }
  }
}
