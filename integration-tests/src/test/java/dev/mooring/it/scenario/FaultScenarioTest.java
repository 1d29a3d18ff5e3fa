package dev.mooring.it.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.mooring.apiserver.ApiServer;
import dev.mooring.it.ConcurrentTests;
import dev.mooring.it.QuietCheck;
import dev.mooring.it.RestApi;
import dev.mooring.it.ServerEndpoint;
import dev.mooring.it.faults.Faults;
import dev.mooring.it.faults.ProxyTls;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Plays the recorded scenarios, a quarter of them over TLS, through a proxy that injects seeded
 * faults between the controllers and the embedded server. The end state must equal the recorded
 * one, except for {@link PermittedDifferences}. After that, the controllers must send no requests.
 * {@code -Dmooring.faults.seeds=N} plays each with N seeds, {@code -Dmooring.faults.first=N} sets
 * the first seed, {@code -Dmooring.scenarios=PREFIX} selects scenarios.
 */
class FaultScenarioTest {
  private static final int SEED_COUNT = Integer.getInteger("mooring.faults.seeds", 1);
  private static final long FIRST_SEED = Long.getLong("mooring.faults.first", 1);

  /** Seconds without a change that count as settled. Concurrent scenarios delay watch events. */
  private static final double QUIET_SECONDS = 2;

  /** Number of concurrent scenarios, which mostly wait. */
  private static final int CONCURRENT_SCENARIOS = 32;

  @TempDir static Path folder;

  private static ProxyTls tls;
  private final ConcurrentTests concurrentTests =
      new ConcurrentTests(Integer.getInteger("mooring.scenarios.at-once", CONCURRENT_SCENARIOS));
  private final Set<Class<?>> injectedFaults = ConcurrentHashMap.newKeySet();

  @BeforeAll
  static void makeCertificate() throws GeneralSecurityException {
    tls = ProxyTls.make();
  }

  @TestFactory
  Stream<DynamicTest> scenario_withFaults_endsAsRecorded() throws IOException {
    String prefix = System.getProperty("mooring.scenarios", "");
    List<String> namesAndSeeds =
        Scenarios.passing().stream()
            .filter(name -> name.startsWith(prefix))
            .flatMap(name ->
                LongStream.range(FIRST_SEED, FIRST_SEED + SEED_COUNT)
                    .mapToObj(seed -> name + " " + seed))
            .toList();
    Stream<DynamicTest> tests = concurrentTests.tests(namesAndSeeds, this::play);
    return prefix.isEmpty()
        ? Stream.concat(
            tests,
            Stream.of(dynamicTest("all kinds of faults occurred", this::verifyAllKindsInjected)))
        : tests;
  }

  @AfterEach
  void stop() {
    concurrentTests.stop();
  }

  private void verifyAllKindsInjected() {
    assertThat(injectedFaults).containsAll(Faults.kinds());
  }

  // The handshakes of all connections of a scenario take longer than the rest.
  private static boolean isOverTls(String name) {
    return Math.floorMod(name.hashCode(), 4) == 0;
  }

  private void play(String nameAndSeed) throws Exception {
    String name = nameAndSeed.substring(0, nameAndSeed.indexOf(' '));
    long seed = Long.parseLong(nameAndSeed.substring(name.length() + 1));
    Path auditLog = Files.createTempFile(folder, "audit", ".log");
    try (ApiServer server = ApiServer.start(QuietCheck.auditedOptions(auditLog))) {
      FaultScenario.End result =
          new FaultScenario(
                  RestApi.of(server, ""),
                  ServerEndpoint.of(server.url(), ""),
                  isOverTls(name) ? tls : null,
                  folder,
                  QUIET_SECONDS)
              .play(
                  name,
                  seed,
                  () -> ScenarioTest.checkQuiet(auditLog, name).verify(QuietCheck.WINDOW));
      injectedFaults.addAll(result.injectedFaults());
      assertThat(result.wrong()).as(() -> String.join("\n", result.log())).isEmpty();
    }
  }
}
