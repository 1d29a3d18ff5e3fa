package dev.mooring.it.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import dev.mooring.apiserver.ApiServer;
import dev.mooring.explain.Actor;
import dev.mooring.explain.Explainer.Detail;
import dev.mooring.explain.Explanation;
import dev.mooring.it.Api;
import dev.mooring.it.AtOnce;
import dev.mooring.it.AtRest;
import dev.mooring.it.AuditEvent;
import dev.mooring.it.Resources;
import dev.mooring.kube.KubeCluster;
import dev.mooring.kube.KubeConnection;
import dev.mooring.manager.explain.ClusterSight;
import dev.mooring.manager.explain.Explainers;
import dev.mooring.manager.plugin.PluginRegistry;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimPhase;
import dev.mooring.model.Kind;
import dev.mooring.model.Resource;
import dev.mooring.time.SystemTime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * In every recorded scenario, before every step and at the end, whatever waits is explained: with a
 * code, and with somebody who is to act. At rest that is never the volume controller: what it would
 * still do it would have done. What it is told to do before it is started it does. Nothing is
 * written by whoever asks.
 */
@Timeout(300)
class ExplainScenarioTest {
  private static final String AGENT = "explain-test";

  /** What a controller that can do it does at once. */
  private static final Set<String> AT_ONCE =
      Set.of("bind", "set-class", "hand-over", "reselect", "mark-lost", "set-phase", "unbind");

  private static final AtomicInteger PROMISES = new AtomicInteger();

  @TempDir private Path folder;

  private final AtOnce players = new AtOnce();
  private final SystemTime time = new SystemTime();

  @TestFactory
  Stream<DynamicTest> whateverWaitsIsExplained() throws IOException {
    return players.tests(Scenarios.chosen(Scenarios.passing()), this::play);
  }

  /** Else nothing was compared. */
  @AfterAll
  static void muchWasPromised() {
    if (System.getProperty("mooring.scenarios", "").isEmpty()) {
      assertThat(PROMISES).hasValueGreaterThan(30);
    }
  }

  @AfterEach
  void stop() {
    players.stop();
  }

  private void play(String name) throws Exception {
    JsonObject scenario = Scenarios.read("scenarios/" + name + ".json");
    boolean provisions =
        !(scenario.get("flags") instanceof JsonArray flags
            && flags.toString().contains("enable-dynamic-provisioning=false"));
    Path log = Files.createTempFile(folder, "audit", ".log");
    try (ApiServer server = ApiServer.start(AtRest.audited(log));
        PluginRegistry plugins =
            PluginRegistry.read(
                new PluginRegistry.Config(
                    Resources.plugins(),
                    Map.of("enable-hostpath-provisioner", "true"),
                    PluginRegistry.DEADLINE,
                    null,
                    false))) {
      Path kubeconfig = Files.createTempFile(folder, "kube", "config");
      Files.writeString(kubeconfig, server.kubeconfig());
      Api api = new Api(server.url(), "");
      try (KubeConnection connection = KubeConnection.ofFiles(List.of(kubeconfig), "", AGENT)) {
        ClusterSight.Source source =
            new ClusterSight.Source(connection, KubeCluster.alone(connection, time), plugins);
        AtomicReference<Promises> promised = new AtomicReference<>();
        new ScenarioRun(api, new InProcess(kubeconfig, Resources.plugins()), ScenarioTest.QUIET)
            .beginningWith(() -> {
              List<Explanation> begin = asked(source, name + " at the beginning");
              if (provisions) {
                promised.set(Promises.of(begin, AT_ONCE, name));
              }
            })
            .telling(step -> {
              kept(promised, api, log);
              asked(source, name + " before " + step);
            })
            .endingWith(() -> {
              kept(promised, api, log);
              List<Explanation> end = asked(source, name + " at the end");
              if (provisions) {
                assertThat(end)
                    .as("%s: what the controller would still do", name)
                    .noneMatch(e ->
                        e.next().by() == Actor.CONTROLLER && AT_ONCE.contains(e.next().action()));
              }
            })
            .play(scenario);
      }
      assertThat(verbs(log)).isSubsetOf("get", "list", "watch");
    }
  }

  /** Looked at once: later steps change what was told of. */
  private static void kept(AtomicReference<Promises> promised, Api api, Path log) {
    Promises promises = promised.getAndSet(null);
    if (promises == null) {
      return;
    }
    PROMISES.addAndGet(promises.size());
    try {
      promises.areKept(api, log);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private List<Explanation> asked(ClusterSight.Source source, String when) {
    List<Explanation> all = new ArrayList<>();
    try {
      ClusterSight sight = ClusterSight.read(source, "", Explainers.READ, null);
      Explainers explainers = new Explainers(sight, true, time);
      for (Kind<?> kind : Explainers.KINDS) {
        for (Resource object : sight.informer(kind).snapshot().all()) {
          List<Explanation> said = explainers.explain(kind, object.key(), Detail.EVIDENCE);
          assertThat(said).as("%s: %s %s", when, kind, object.key()).isNotEmpty();
          if (object instanceof Claim claim && claim.phase() != ClaimPhase.BOUND) {
            assertThat(said).as("%s: %s", when, claim).allMatch(Explanation::waits);
          }
          assertThat(said)
              .as("%s: %s", when, object.key())
              .allSatisfy(ExplainScenarioTest::isWhole);
          all.addAll(said);
        }
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    return all;
  }

  private static void isWhole(Explanation explanation) {
    assertThat(explanation.cause().code()).isNotEmpty();
    assertThat(explanation.note()).isNotEmpty();
    assertThat(explanation.next().text()).isNotEmpty();
    assertThat(explanation.unseen()).isEmpty();
    if (explanation.waits() && explanation.next().by() == Actor.PERSON) {
      assertThat(explanation.cause().remedy() + explanation.next().text()).isNotEmpty();
    }
  }

  private static List<String> verbs(Path log) throws IOException {
    return AuditEvent.read(log).stream()
        .filter(event -> event.userAgent().startsWith(AGENT))
        .map(AuditEvent::verb)
        .toList();
  }
}
