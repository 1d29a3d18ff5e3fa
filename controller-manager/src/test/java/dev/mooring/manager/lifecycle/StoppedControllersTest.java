package dev.mooring.manager.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.informer.Informer;
import dev.mooring.informer.ListWatchException;
import dev.mooring.informer.ListWatchException.Reason;
import dev.mooring.informer.Reflector;
import dev.mooring.kube.KubeConnection;
import dev.mooring.manager.command.RunFlags;
import dev.mooring.model.Kind;
import dev.mooring.model.Resource;
import dev.mooring.reconcile.Controller;
import dev.mooring.reconcile.StoppedPart;
import dev.mooring.testkit.GivenListWatch;
import dev.mooring.testkit.TestWait;
import dev.mooring.time.SystemTime;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Which controllers run if the API server refuses one kind. No server is needed. */
class StoppedControllersTest {
  private static final List<String> FLAGS =
      List.of(
          "--controllers=*,snapshot-controller,selinux-warning-controller",
          "--leader-elect=false",
          "--endpoints=off");

  private static final String BINDER = "persistentvolume-binder-controller";
  private static final String CLAIM_PROTECTION = "persistentvolumeclaim-protection-controller";
  private static final String VOLUME_PROTECTION = "persistentvolume-protection-controller";
  private static final String CLASS_PROTECTION = "volumeattributesclass-protection-controller";
  private static final String EPHEMERAL = "ephemeral-volume-controller";
  private static final String ATTACH_DETACH = "persistentvolume-attach-detach-controller";
  private static final String EXPANDER = "persistentvolume-expander-controller";
  private static final String UNSERVED = "provisioner-unserved";
  private static final String SNAPSHOTS = "snapshot-controller";
  private static final String GROUPS = "the snapshot controller's part for groups";
  private static final String SELINUX = "selinux-warning-controller";
  private static final String VALIDATOR = "volume-data-source-validator";
  private static final String POPULATOR = "volume-populator";

  /** Parts that do not run without the kind. */
  private static final Map<Kind<?>, Set<String>> STOPPED_PARTS =
      Map.ofEntries(
          Map.entry(
              Kind.CLAIM,
              Set.of(
                  BINDER,
                  CLAIM_PROTECTION,
                  CLASS_PROTECTION,
                  EPHEMERAL,
                  ATTACH_DETACH,
                  EXPANDER,
                  UNSERVED,
                  SNAPSHOTS,
                  SELINUX,
                  VALIDATOR,
                  POPULATOR)),
          Map.entry(
              Kind.VOLUME,
              Set.of(
                  BINDER,
                  VOLUME_PROTECTION,
                  CLASS_PROTECTION,
                  ATTACH_DETACH,
                  EXPANDER,
                  SNAPSHOTS,
                  SELINUX,
                  POPULATOR)),
          Map.entry(Kind.STORAGE_CLASS, Set.of(BINDER, POPULATOR)),
          Map.entry(Kind.POD, Set.of(BINDER, CLAIM_PROTECTION, EPHEMERAL, ATTACH_DETACH)),
          Map.entry(Kind.POD_MOUNTS, Set.of(SELINUX)),
          Map.entry(Kind.NODE, Set.of(BINDER, ATTACH_DETACH)),
          Map.entry(Kind.CSI_DRIVER, Set.of(ATTACH_DETACH, SELINUX)),
          Map.entry(Kind.ATTACHMENT, Set.of(ATTACH_DETACH)),
          Map.entry(Kind.ATTRIBUTES_CLASS, Set.of(CLASS_PROTECTION)),
          Map.entry(Kind.SNAPSHOT, Set.of(SNAPSHOTS)),
          Map.entry(Kind.SNAPSHOT_CONTENT, Set.of(SNAPSHOTS)),
          Map.entry(Kind.SNAPSHOT_CLASS, Set.of(SNAPSHOTS)),
          Map.entry(Kind.GROUP_SNAPSHOT, Set.of(GROUPS)),
          Map.entry(Kind.GROUP_SNAPSHOT_CONTENT, Set.of(GROUPS)),
          Map.entry(Kind.GROUP_SNAPSHOT_CLASS, Set.of(GROUPS)));

  @TempDir private Path folder;

  private final SystemTime time = new SystemTime();
  private final List<Reflector<?>> reflectors = new ArrayList<>();

  static Stream<Arguments> cases() {
    return STOPPED_PARTS.keySet().stream()
        .flatMap(kind ->
            Stream.of(Reason.FORBIDDEN, Reason.NO_SUCH_RESOURCE)
                .filter(reason -> reason == Reason.FORBIDDEN || isOptional(kind))
                .map(reason -> Arguments.of(kind, reason)));
  }

  /** Returns whether a server may not serve the kind: custom resources and new kinds. */
  private static boolean isOptional(Kind<?> kind) {
    return kind.group().startsWith("snapshot") || kind.equals(Kind.ATTRIBUTES_CLASS);
  }

  private KubeConnection connection() throws Exception {
    Path kubeconfig =
        Files.writeString(
            folder.resolve("kubeconfig"),
            """
            apiVersion: v1
            kind: Config
            clusters: [{name: c, cluster: {server: "http://127.0.0.1:1"}}]
            contexts: [{name: c, context: {cluster: c}}]
            current-context: c
            """);
    return KubeConnection.ofFiles(List.of(kubeconfig), "", "test");
  }

  private <T extends Resource> void fill(Informer<T> cache, Kind<?> refused, Reason reason) {
    Reflector<T> reflector =
        new Reflector<>(
            cache,
            new GivenListWatch<>(() -> {
              if (cache.kind().equals(refused)) {
                throw new ListWatchException(reason, "refused");
              }
              return List.of();
            }),
            time,
            () -> 0);
    reflectors.add(reflector);
    reflector.start();
  }

  private static Set<Informer<?>> caches(ControllerSet controllers) {
    return controllers.list().stream()
        .flatMap(controller -> controller.reads().stream())
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }

  @ParameterizedTest(name = "{0} {1}")
  @MethodSource("cases")
  void start_oneKindRefused_onlyPartsThatReadItStayOff(Kind<?> kind, Reason reason)
      throws Exception {
    try (KubeConnection connection = connection()) {
      ControllerSet controllers = RunFlags.manager(FLAGS, folder, connection).controllers();
      caches(controllers).forEach(cache -> fill(cache, kind, reason));
      try {
        for (Controller controller : controllers.list()) {
          controller.start();
        }
        Set<String> expectedNames = new TreeSet<>(STOPPED_PARTS.get(kind));
        TestWait.until(
            () -> names(controllers) + " instead of " + expectedNames,
            () -> names(controllers).equals(expectedNames));
        assertThat(controllers.describeStoppedParts())
            .allMatch(text ->
                text.contains(
                        reason == Reason.FORBIDDEN
                            ? "does not run: no right to list and watch "
                            : "does not run: the API server does not serve ")
                    && text.contains(kind.plural()));
        TestWait.until("the other controllers are idle", controllers::areIdle);
      } finally {
        stop(controllers);
      }
    }
  }

  private void stop(ControllerSet controllers) throws InterruptedException {
    for (Controller controller : controllers.list()) {
      controller.stop(Duration.ofSeconds(10));
    }
    for (Reflector<?> reflector : reflectors) {
      reflector.stop();
    }
    time.close();
  }

  private static TreeSet<String> names(ControllerSet controllers) {
    return controllers
        .stoppedParts()
        .map(StoppedPart::name)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  void cases_controllersOfAllFlags_coverEveryCachedKind() throws Exception {
    try (KubeConnection connection = connection()) {
      Set<Kind<?>> kinds = new HashSet<>();
      caches(RunFlags.manager(FLAGS, folder, connection).controllers())
          .forEach(cache -> kinds.add(cache.kind()));
      assertThat(kinds).isEqualTo(STOPPED_PARTS.keySet());
    }
    time.close();
  }
}
