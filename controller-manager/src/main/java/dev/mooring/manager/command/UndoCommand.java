package dev.mooring.manager.command;

import dev.mooring.kube.KubeCluster;
import dev.mooring.kube.KubeConnection;
import dev.mooring.kube.ServerDocuments;
import dev.mooring.kube.WholeObjectWriter;
import dev.mooring.manager.telemetry.LogSetup;
import dev.mooring.manager.undo.SnapshotUndo;
import dev.mooring.manager.undo.UndoRights;
import dev.mooring.manager.undo.UndoStep;
import dev.mooring.manager.undo.UndoStoppedException;
import dev.mooring.manager.undo.VolumeUndo;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.time.SystemTime;
import dev.mooring.time.Time;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "undo",
    description =
        "Restores deleted claims and snapshots with their data. Creates each object again, with the same name, while 'mooring run --deletion-delay' keeps its storage. Checks everything before the first write. After an interruption, run the same command again: it continues.",
    footer = {
      "",
      "Examples:",
      "  mooring undo pv/pvc-0b6e0c5e-3c1a-4a44-9f6e-9d3a3d1c7a11 --dry-run",
      "  mooring undo volumesnapshotcontent/snapcontent-7c0e9a52-2f0a-4a53-9d1b-0f6f6d0c1f11",
      "  mooring undo -n shop"
    },
    mixinStandardHelpOptions = true)
public final class UndoCommand implements Callable<Integer> {
  private static final Set<String> VOLUME_KINDS =
      Set.of("pv", "persistentvolume", "persistentvolumes");
  private static final Set<String> CONTENT_KINDS =
      Set.of("vsc", "volumesnapshotcontent", "volumesnapshotcontents");

  @Parameters(
      arity = "0..2",
      paramLabel = "KIND/NAME",
      description =
          "Volume (pv/NAME) of a deleted claim, or content (volumesnapshotcontent/NAME) of a deleted snapshot. Default: all of the namespace.")
  private List<String> object = new ArrayList<>();

  @Option(
      names = {"-n", "--namespace"},
      paramLabel = "NAMESPACE",
      description = "Namespace of the deleted claims and snapshots. Required without KIND/NAME.")
  private @Nullable String namespace;

  @Option(names = "--dry-run", description = "Check and print the claims; write nothing.")
  private boolean dryRun;

  @Mixin private final ClusterOptions cluster = new ClusterOptions();

  public UndoCommand() {}

  @Override
  public Integer call() throws UsageException, InterruptedException {
    LogSetup.configure(false, false, true);
    Targets named = namedTarget();
    try (KubeConnection connection = cluster.connect()) {
      Time time = new SystemTime();
      KubeCluster server = KubeCluster.alone(connection, time);
      WholeObjectWriter manifests = new WholeObjectWriter(connection);
      VolumeUndo volumes = new VolumeUndo(server, server, manifests, time);
      SnapshotUndo snapshots = new SnapshotUndo(server, server, manifests, time);
      Targets targets =
          object.isEmpty()
              ? findTargets(volumes, snapshots, new ServerDocuments(connection, time))
              : named;
      boolean isComplete = targets.isComplete();
      isComplete &= restore(volumes, targets.volumes(), connection);
      isComplete &= restoreSnapshots(snapshots, targets.contents(), connection);
      return isComplete ? 0 : 1;
    } catch (UndoStoppedException e) {
      throw new UsageException(String.valueOf(e.getMessage()));
    }
  }

  private record Targets(List<ObjectKey> volumes, List<ObjectKey> contents, boolean isComplete) {}

  private Targets findTargets(VolumeUndo volumes, SnapshotUndo snapshots, ServerDocuments documents)
      throws UndoStoppedException, InterruptedException {
    List<String> problems = new ArrayList<>();
    List<ObjectKey> contents =
        documents.isAbsent(Kind.SNAPSHOT_CONTENT)
            ? List.of()
            : find(() -> snapshots.findContents(String.valueOf(namespace)), problems);
    List<ObjectKey> condemned =
        find(() -> volumes.findVolumes(String.valueOf(namespace)), problems);
    if (condemned.isEmpty() && contents.isEmpty()) {
      throw new UndoStoppedException(
          problems.isEmpty()
              ? "no volume of namespace %s is condemned: see 'kubectl get pv' for volumes of that namespace"
                  .formatted(namespace)
              : problems.getLast());
    }
    problems.forEach(UndoCommand::printProblem);
    return new Targets(condemned, contents, problems.isEmpty());
  }

  private interface TargetSource {
    List<ObjectKey> find() throws UndoStoppedException, InterruptedException;
  }

  private static List<ObjectKey> find(TargetSource source, List<String> problems)
      throws InterruptedException {
    try {
      return source.find();
    } catch (UndoStoppedException e) {
      problems.add(String.valueOf(e.getMessage()));
      return List.of();
    }
  }

  private static void printProblem(String problem) {
    System.err.println("mooring: " + problem);
  }

  private boolean restoreSnapshots(
      SnapshotUndo undo, List<ObjectKey> contents, KubeConnection connection)
      throws UsageException, InterruptedException {
    List<String> problems = new ArrayList<>();
    for (ObjectKey content : contents) {
      try {
        ObjectKey snapshot = undo.plan(content);
        UserRights.require(
            UndoRights.ofSnapshots(snapshot.namespace(), object.isEmpty()), connection);
        if (dryRun) {
          System.out.println(
              "snapshot %s would be restored with the data of content %s"
                  .formatted(snapshot, content));
        } else {
          System.out.println(
              "snapshot %s is restored with the data of content %s"
                  .formatted(undo.run(content), content));
        }
      } catch (UndoStoppedException e) {
        problems.add(String.valueOf(e.getMessage()));
      }
    }
    problems.forEach(UndoCommand::printProblem);
    return problems.isEmpty();
  }

  private boolean restore(VolumeUndo undo, List<ObjectKey> volumes, KubeConnection connection)
      throws UsageException, InterruptedException {
    Map<ObjectKey, ObjectKey> claims = new LinkedHashMap<>();
    List<String> problems = new ArrayList<>();
    for (ObjectKey volume : volumes) {
      try {
        claims.put(volume, claimOf(undo.plan(volume)));
      } catch (UndoStoppedException e) {
        problems.add(String.valueOf(e.getMessage()));
      }
    }
    problems.forEach(UndoCommand::printProblem);
    if (!claims.isEmpty()) {
      checkRights(claims, connection);
    }
    boolean isComplete = problems.isEmpty();
    for (Map.Entry<ObjectKey, ObjectKey> entry : claims.entrySet()) {
      if (dryRun) {
        System.out.println(
            "claim %s would be restored with volume %s"
                .formatted(entry.getValue(), entry.getKey()));
      } else {
        isComplete &= restoreClaim(undo, entry.getKey());
      }
    }
    if (dryRun && !claims.isEmpty()) {
      System.out.println("nothing was written");
    }
    return isComplete;
  }

  private static boolean restoreClaim(VolumeUndo undo, ObjectKey volume)
      throws InterruptedException {
    try {
      System.out.println("claim %s is restored with volume %s".formatted(undo.run(volume), volume));
      return true;
    } catch (UndoStoppedException e) {
      printProblem(String.valueOf(e.getMessage()));
      return false;
    }
  }

  private static ObjectKey claimOf(UndoStep step) throws UndoStoppedException {
    return switch (step) {
      case UndoStep.ReserveVolume(_, ObjectKey claim) -> claim;
      case UndoStep.CreateClaim(_, ObjectKey claim) -> claim;
      case UndoStep.ClearVolume(_, ObjectKey claim) -> claim;
      case UndoStep.Impossible(String problem) -> throw new UndoStoppedException(problem);
    };
  }

  private void checkRights(Map<ObjectKey, ObjectKey> claims, KubeConnection connection)
      throws UsageException {
    String claimNamespace = claims.values().iterator().next().namespace();
    UserRights.require(UndoRights.of(claimNamespace, object.isEmpty()), connection);
  }

  private Targets namedTarget() throws InvalidFlagException {
    if (object.isEmpty()) {
      if (namespace == null || namespace.isEmpty()) {
        throw new InvalidFlagException(
            "specify pv/NAME, volumesnapshotcontent/NAME or -n NAMESPACE");
      }
      return new Targets(List.of(), List.of(), true);
    }
    NamedTarget target = NamedTarget.of(object);
    ObjectKey key = ObjectKey.cluster(target.name());
    boolean isContent = CONTENT_KINDS.contains(target.kind());
    if (!isContent && !VOLUME_KINDS.contains(target.kind()) || !key.flaw().isEmpty()) {
      throw new InvalidFlagException(
          "\"%s\" does not name a volume: specify pv/NAME, volumesnapshotcontent/NAME or -n NAMESPACE"
              .formatted(target.text()));
    }
    if (namespace != null) {
      throw new InvalidFlagException("specify either KIND/NAME or -n NAMESPACE, not both");
    }
    return isContent
        ? new Targets(List.of(), List.of(key), true)
        : new Targets(List.of(key), List.of(), true);
  }
}
