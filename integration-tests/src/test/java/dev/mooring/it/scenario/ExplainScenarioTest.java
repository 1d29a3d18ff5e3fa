package dev.mooring.it.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.mooring.apiserver.ApiServer;
import dev.mooring.explain.Explainer.Detail;
import dev.mooring.explain.Explanation;
import dev.mooring.explain.StepActor;
import dev.mooring.it.AuditEvent;
import dev.mooring.it.ConcurrentTests;
import dev.mooring.it.Resources;
import dev.mooring.it.RestApi;
import dev.mooring.it.explain.ReadOnlyAccount;
import dev.mooring.kube.KubeCluster;
import dev.mooring.kube.KubeConnection;
import dev.mooring.kube.KubeEvents;
import dev.mooring.manager.explain.ClusterExplainers;
import dev.mooring.manager.explain.ListedClusterView;
import dev.mooring.manager.plugin.PluginRegistry;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimPhase;
import dev.mooring.model.Kind;
import dev.mooring.model.Resource;
import dev.mooring.reconcile.Compat;
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
import org.junit.jupiter.api.io.TempDir;

/**
 * Explains every waiting object before each step and at the end of every recorded scenario, with
 * read-only access. Each explanation has a code and names the next actor. While the controllers are
 * idle, they are never the next actor. After their start, they do the announced actions. {@code
 * -Dmooring.explain.scenarios=all} includes all scenarios of this project.
 */
class ExplainScenarioTest {
  private static final String AGENT = "explain-test";
  private static final String ADMIN = "admin-token";

  /** Resources that docs/explain.md requires. */
  private static final String CORE = "persistentvolumeclaims,pods,persistentvolumes,nodes,events";

  private static final String STORAGE =
      "storageclasses,csidrivers,csinodes,csistoragecapacities,volumeattachments,volumeattributesclasses";

  /**
   * Scenarios of this project that once revealed a bug. An ordinary build plays them and three of
   * five published scenarios.
   */
  private static final List<String> REGRESSION_SCENARIOS =
      List.of(
          "binder/reserved-but-unfit",
          "provision/external-delivers-more",
          "provision/hostpath-shapes",
          "provision/volume-delivered-by-name-or-unfit");

  /** Creates an attachment in the controller's name, as if the controller had created it. */
  private static final String AMBIGUOUS_SCENARIO = "attach/vas-left-alone";

  /** Steps after which the controllers are idle. */
  private static final Set<String> IDLE_STEPS = Set.of("settle", "restart", "start");

  private static final boolean PLAYS_ALL =
      System.getProperty("mooring.explain.scenarios", "few").equals("all");

  private static final AtomicInteger COMPARED_ACTIONS = new AtomicInteger();
  private static final AtomicInteger IDLE_EXPLANATIONS = new AtomicInteger();
  private static final AtomicInteger EXPLAINED_STATES = new AtomicInteger();
  private static final AtomicInteger IDLE_STATES = new AtomicInteger();

  @TempDir private Path folder;

  private final ConcurrentTests concurrentTests = new ConcurrentTests();
  private final SystemTime time = new SystemTime();

  @TestFactory
  Stream<DynamicTest> waitingObjects_eachScenario_areExplained() throws IOException {
    List<String> names = new ArrayList<>();
    List<String> published = Scenarios.passing();
    for (int i = 0; i < published.size(); i++) {
      if (PLAYS_ALL || i % 5 < 3) {
        names.add(published.get(i));
      }
    }
    names.addAll(PLAYS_ALL ? Scenarios.projectScenarios() : REGRESSION_SCENARIOS);
    return concurrentTests.tests(Scenarios.selectByProperty(names), this::play);
  }

  /** Fails if the scenarios compare too few actions. */
  @AfterAll
  static void announcedActions_afterAllScenarios_areNumerous() throws IOException {
    Files.writeString(
        Path.of("target", "explained.txt"),
        "%s states explained, of these %s at rest with %s explanations of what waits; %s steps compared with what was done\n"
            .formatted(EXPLAINED_STATES, IDLE_STATES, IDLE_EXPLANATIONS, COMPARED_ACTIONS));
    if (System.getProperty("mooring.scenarios", "").isEmpty()) {
      assertThat(COMPARED_ACTIONS).hasValueGreaterThan(30);
      assertThat(IDLE_STATES).hasValueGreaterThan(150);
    }
  }

  @AfterEach
  void stop() {
    concurrentTests.stop();
  }

  private void play(String name) throws Exception {
    JsonObject scenario = Scenarios.read("scenarios/" + name + ".json");
    boolean provisioningEnabled =
        !(scenario.get("flags") instanceof JsonArray flags
            && flags.toString().contains("enable-dynamic-provisioning=false"));
    Path auditLog = Files.createTempFile(folder, "audit", ".log");
    AtomicReference<String> previousStep = new AtomicReference<>("");
    try (ApiServer server =
            ApiServer.start(new ApiServer.ServerOptions(0, ADMIN, null).withAuditLog(auditLog));
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
      Path viewer = Files.createTempFile(folder, "viewer", "config");
      Files.writeString(viewer, server.kubeconfig().replace(ADMIN, ReadOnlyAccount.TOKEN));
      server.tokens().accept(ReadOnlyAccount.TOKEN, ReadOnlyAccount.USER);
      RestApi api = RestApi.of(server, ADMIN);
      ReadOnlyAccount.grantRead(api, CORE, STORAGE);
      try (KubeConnection connection = KubeConnection.ofFiles(List.of(viewer), "", AGENT)) {
        KubeCluster reader = KubeCluster.alone(connection, time);
        ListedClusterView.Source source =
            new ListedClusterView.Source(connection, reader, new KubeEvents(reader), plugins);
        AtomicReference<AnnouncedActions> announcedActions = new AtomicReference<>();
        ScenarioRun run =
            new ScenarioRun(
                    api,
                    new InProcessController(kubeconfig, Resources.plugins()),
                    ScenarioTest.QUIET_SECONDS)
                .aroundStarts(
                    () -> {
                      String moment = name + " before a start";
                      announcedActions.set(
                          AnnouncedActions.of(
                              explainAll(source, moment).evidence(),
                              provisioningEnabled,
                              moment,
                              api,
                              auditLog));
                    },
                    () -> {
                      COMPARED_ACTIONS.addAndGet(announcedActions.get().verify(api));
                      verifyNoControllerAction(
                          explainAll(source, name + " after a start"), provisioningEnabled, name);
                    })
                .beforeEachStep(step -> {
                  String moment = name + " before " + step;
                  Explanations explanations = explainAll(source, moment);
                  if (IDLE_STEPS.contains(previousStep.getAndSet(stepName(step)))) {
                    verifyNoControllerAction(explanations, provisioningEnabled, moment);
                  }
                })
                .verifyingEnd(() -> {
                  String moment = name + " at the end";
                  verifyNoControllerAction(explainAll(source, moment), provisioningEnabled, moment);
                });
        (PLAYS_ALL ? run.pausingDuringWrites() : run).play(scenario);
      }
      assertThat(readVerbs(auditLog)).isSubsetOf("get", "list", "watch");
    }
  }

  private static String stepName(String step) {
    return JsonParser.parseString(step).getAsJsonObject().keySet().iterator().next();
  }

  /** Checks that no explanation names the controller as the next actor. */
  private static void verifyNoControllerAction(
      Explanations explanations, boolean provisioningEnabled, String moment) {
    if (moment.startsWith(AMBIGUOUS_SCENARIO)) {
      return;
    }
    IDLE_STATES.incrementAndGet();
    IDLE_EXPLANATIONS.addAndGet(
        (int) explanations.evidence().stream().filter(Explanation::isWaiting).count());
    for (List<Explanation> explanationList :
        List.of(explanations.evidence(), explanations.summaries())) {
      assertThat(explanationList)
          .as("%s: what the controller would still do", moment)
          .allMatch(explanation -> AnnouncedActions.canStayOpen(explanation, provisioningEnabled));
    }
  }

  /** Explanations at one moment: detailed ones of single objects, and summaries of all. */
  private record Explanations(List<Explanation> evidence, List<Explanation> summaries) {}

  private Explanations explainAll(ListedClusterView.Source source, String moment) {
    EXPLAINED_STATES.incrementAndGet();
    List<Explanation> evidence = new ArrayList<>();
    List<Explanation> summaries = new ArrayList<>();
    try {
      ListedClusterView clusterView =
          ListedClusterView.read(source, "", ClusterExplainers.ALL_READ_KINDS, null);
      ClusterExplainers explainers = new ClusterExplainers(clusterView, Compat.KUBERNETES, time);
      for (Kind<?> kind : ClusterExplainers.EXPLAINED_KINDS) {
        for (Resource object : clusterView.informer(kind).snapshot().objects()) {
          List<Explanation> explanations = explainers.explain(kind, object.key(), Detail.EVIDENCE);
          assertThat(explanations).as("%s: %s %s", moment, kind, object.key()).isNotEmpty();
          if (object instanceof Claim claim && claim.phase() != ClaimPhase.BOUND) {
            assertThat(explanations).as("%s: %s", moment, claim).allMatch(Explanation::isWaiting);
          }
          assertThat(explanations)
              .as("%s: %s", moment, object.key())
              .allSatisfy(ExplainScenarioTest::verifyComplete);
          evidence.addAll(explanations);
          summaries.addAll(explainers.explain(kind, object.key(), Detail.SUMMARY));
        }
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    return new Explanations(evidence, summaries);
  }

  private static void verifyComplete(Explanation explanation) {
    assertThat(explanation.cause().code()).isNotEmpty();
    assertThat(explanation.message()).isNotEmpty();
    assertThat(explanation.nextStep().text()).isNotEmpty();
    assertThat(explanation.unreadableKinds())
        .allMatch(unreadable -> unreadable.kind().equals(Kind.LEASE));
    if (explanation.isWaiting() && explanation.nextStep().actor() == StepActor.PERSON) {
      assertThat(explanation.cause().remedy() + explanation.nextStep().text()).isNotEmpty();
    }
  }

  private static List<String> readVerbs(Path log) throws IOException {
    return AuditEvent.read(log).stream()
        .filter(event -> event.userAgent().startsWith(AGENT))
        .map(AuditEvent::verb)
        .toList();
  }
}
