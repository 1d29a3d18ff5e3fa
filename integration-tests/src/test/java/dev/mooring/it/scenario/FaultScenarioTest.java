package dev.mooring.it.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.mooring.apiserver.ApiServer;
import dev.mooring.it.Api;
import dev.mooring.it.AtOnce;
import dev.mooring.it.AtRest;
import dev.mooring.it.Endpoint;
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
 * The recorded scenarios through a proxy that lets seeded faults happen between the controllers and
 * the embedded server, over TLS: the end is the recorded one, but for what {@link Excused} says,
 * and then nothing is written and nothing asked. {@code -Dmooring.faults.seeds=N} plays each with N
 * seeds, {@code -Dmooring.faults.first=N} begins with that seed, {@code -Dmooring.scenarios=PREFIX}
 * plays those only.
 */
class FaultScenarioTest {
  private static final int SEEDS = Integer.getInteger("mooring.faults.seeds", 1);
  private static final long FIRST = Long.getLong("mooring.faults.first", 1);

  /** So many at once leave a watch less time to say something. */
  private static final double QUIET = 2;

  /** They wait even more than without faults. */
  private static final int AT_ONCE = 32;

  @TempDir static Path folder;

  private static ProxyTls tls;
  private final AtOnce players =
      new AtOnce(Integer.getInteger("mooring.scenarios.at-once", AT_ONCE));
  private final Set<Class<?>> struck = ConcurrentHashMap.newKeySet();

  @BeforeAll
  static void makeCertificate() throws GeneralSecurityException {
    tls = ProxyTls.make();
  }

  @TestFactory
  Stream<DynamicTest> scenarios() throws IOException {
    String chosen = System.getProperty("mooring.scenarios", "");
    List<String> plays =
        Scenarios.passing().stream()
            .filter(name -> name.startsWith(chosen))
            .flatMap(
                name -> LongStream.range(FIRST, FIRST + SEEDS).mapToObj(seed -> name + " " + seed))
            .toList();
    Stream<DynamicTest> tests = players.tests(plays, this::play);
    return chosen.isEmpty()
        ? Stream.concat(tests, Stream.of(dynamicTest("everything has gone wrong", this::all)))
        : tests;
  }

  @AfterEach
  void stop() {
    players.stop();
  }

  private void all() {
    assertThat(struck).containsAll(Faults.kinds());
  }

  private void play(String named) throws Exception {
    String name = named.substring(0, named.indexOf(' '));
    long seed = Long.parseLong(named.substring(name.length() + 1));
    Path log = Files.createTempFile(folder, "audit", ".log");
    try (ApiServer server = ApiServer.start(AtRest.audited(log))) {
      FaultPlay.End end =
          new FaultPlay(
                  new Api(server.url(), ""), Endpoint.of(server.url(), ""), tls, folder, QUIET)
              .play(name, seed, () -> ScenarioTest.rest(log, name).verify(AtRest.WINDOW));
      struck.addAll(end.struck());
      assertThat(end.wrong()).as(() -> String.join("\n", end.log())).isEmpty();
    }
  }
}
