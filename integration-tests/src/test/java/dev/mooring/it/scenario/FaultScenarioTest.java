package dev.mooring.it.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import com.google.gson.JsonObject;
import dev.mooring.apiserver.ApiServer;
import dev.mooring.it.Api;
import dev.mooring.it.Endpoint;
import dev.mooring.it.Resources;
import dev.mooring.it.faults.FaultProxy;
import dev.mooring.it.faults.Faults;
import dev.mooring.it.faults.Faults.Times;
import dev.mooring.it.faults.Invariants;
import dev.mooring.it.faults.Tls;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * The recorded scenarios through a proxy that lets seeded faults happen between the controllers and
 * the embedded server, over TLS: the end is the recorded one, but for what {@link Excused} says.
 * {@code -Dmooring.faults.seeds=N} plays each with N seeds, {@code -Dmooring.faults.first=N} begins
 * with that seed, {@code -Dmooring.scenarios=PREFIX} plays those only.
 */
class FaultScenarioTest {
  private static final int SEEDS = Integer.getInteger("mooring.faults.seeds", 1);
  private static final long FIRST = Long.getLong("mooring.faults.first", 1);
  private static final int FAULTS = 10;

  /** So many at once leave a watch less time to say something. */
  private static final double QUIET = 1;

  /** They wait even more than without faults. */
  private static final int AT_ONCE = 20;

  @TempDir static Path folder;

  private static Tls tls;
  private final AtOnce players =
      new AtOnce(Integer.getInteger("mooring.scenarios.at-once", AT_ONCE));
  private final Set<Class<?>> struck = ConcurrentHashMap.newKeySet();

  @BeforeAll
  static void makeCertificate() throws IOException, InterruptedException {
    tls = Tls.make(folder);
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
    Faults faults = Faults.seeded(seed * 1_000_003 + name.hashCode(), FAULTS, Times.SHORT);
    try (ApiServer server = ApiServer.start(ApiServer.Config.DEFAULTS);
        FaultProxy proxy = FaultProxy.before(Endpoint.of(server.url(), ""), faults, tls)) {
      Api api = new Api(server.url(), "");
      Invariants invariants = new Invariants(api);
      proxy.holding(invariants);
      Path kubeconfig = Files.createTempFile(folder, "kube", "config");
      Files.writeString(kubeconfig, proxy.kubeconfig());
      JsonObject scenario = Scenarios.read("scenarios/" + name + ".json");
      JsonObject golden = Scenarios.golden(name);
      Function<JsonObject, List<String>> differences =
          end ->
              Golden.differences(golden, end, scenario.get("ignore")).stream()
                  .filter(difference -> !Excused.is(difference, proxy.victims()))
                  .toList();
      Controller controller =
          new ThroughFaults(new InProcess(kubeconfig, Resources.plugins()), proxy);
      JsonObject end =
          new ScenarioRun(api, controller, QUIET)
              .ending(faults::stop, snapshot -> differences.apply(snapshot).isEmpty())
              .play(scenario);
      struck.addAll(proxy.struck().keySet());
      assertThat(invariants.violations()).as(() -> String.join("\n", proxy.log())).isEmpty();
      assertThat(differences.apply(end)).as(() -> String.join("\n", proxy.log())).isEmpty();
    }
  }
}
