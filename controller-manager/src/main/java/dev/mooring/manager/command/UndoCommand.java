package dev.mooring.manager.command;

import dev.mooring.cluster.RbacRule;
import dev.mooring.kube.KubeConnection;
import dev.mooring.manager.telemetry.LogSetup;
import dev.mooring.manager.undo.KubeUndoCluster;
import dev.mooring.manager.undo.UndoRights;
import dev.mooring.manager.undo.UndoStep;
import dev.mooring.manager.undo.UndoStoppedException;
import dev.mooring.manager.undo.VolumeUndo;
import dev.mooring.model.ObjectKey;
import dev.mooring.time.SystemTime;
import dev.mooring.time.Time;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "undo",
    description =
        "Restores deleted claims with their data. Creates each claim again, with the same name and volume, while 'mooring run --deletion-delay' keeps its storage. Checks everything before the first write. After an interruption, run the same command again: it continues.",
    footer = {
      "",
      "Examples:",
      "  mooring undo pv/pvc-0b6e0c5e-3c1a-4a44-9f6e-9d3a3d1c7a11 --dry-run",
      "  mooring undo -n shop"
    },
    mixinStandardHelpOptions = true)
public final class UndoCommand implements Callable<Integer> {
  private static final Set<String> KINDS = Set.of("pv", "persistentvolume", "persistentvolumes");

  @Parameters(
      arity = "0..2",
      paramLabel = "pv/NAME",
      description = "Condemned volume. Default: all condemned volumes of the namespace.")
  private List<String> object = new ArrayList<>();

  @Option(
      names = {"-n", "--namespace"},
      paramLabel = "NAMESPACE",
      description = "Namespace of the deleted claims. Required without pv/NAME.")
  private @Nullable String namespace;

  @Option(names = "--dry-run", description = "Check and print the claims; write nothing.")
  private boolean dryRun;

  @Mixin private final ClusterOptions cluster = new ClusterOptions();

  public UndoCommand() {}

  @Override
  public Integer call() throws UsageException, InterruptedException {
    LogSetup.configure(false, false, true);
    List<ObjectKey> named = namedVolume();
    try (KubeConnection connection = cluster.connect()) {
      Time time = new SystemTime();
      VolumeUndo undo = new VolumeUndo(new KubeUndoCluster(connection, time), time);
      List<ObjectKey> volumes =
          named.isEmpty() ? undo.findVolumes(String.valueOf(namespace)) : named;
      return restore(undo, volumes, connection);
    } catch (UndoStoppedException e) {
      throw new UsageException(String.valueOf(e.getMessage()));
    }
  }

  private int restore(VolumeUndo undo, List<ObjectKey> volumes, KubeConnection connection)
      throws UsageException, UndoStoppedException, InterruptedException {
    Map<ObjectKey, ObjectKey> claims = new LinkedHashMap<>();
    List<String> problems = new ArrayList<>();
    for (ObjectKey volume : volumes) {
      try {
        claims.put(volume, claimOf(undo.plan(volume)));
      } catch (UndoStoppedException e) {
        problems.add(String.valueOf(e.getMessage()));
      }
    }
    if (claims.isEmpty()) {
      throw new UndoStoppedException(problems.getFirst());
    }
    checkRights(claims, connection);
    for (Map.Entry<ObjectKey, ObjectKey> entry : claims.entrySet()) {
      if (dryRun) {
        System.out.println(
            "claim %s would be restored with volume %s"
                .formatted(entry.getValue(), entry.getKey()));
      } else {
        ObjectKey claim = undo.run(entry.getKey());
        System.out.println("claim %s is restored with volume %s".formatted(claim, entry.getKey()));
      }
    }
    problems.forEach(problem -> System.err.println("mooring: " + problem));
    if (dryRun) {
      System.out.println("nothing was written");
    }
    return problems.isEmpty() ? 0 : 1;
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
    List<RbacRule> missing = UndoRights.findMissing(claimNamespace, object.isEmpty(), connection);
    if (!missing.isEmpty()) {
      throw new UsageException(
          "this user lacks rights at the API server: "
              + missing.stream().map(RbacRule::toString).collect(Collectors.joining(", "))
              + ": ask an administrator to grant them");
    }
  }

  private List<ObjectKey> namedVolume() throws InvalidFlagException {
    if (object.isEmpty()) {
      if (namespace == null || namespace.isEmpty()) {
        throw new InvalidFlagException("specify the volume pv/NAME, or -n NAMESPACE");
      }
      return List.of();
    }
    String text = String.join("/", object);
    int slash = text.indexOf('/');
    String kind = slash < 0 ? "" : text.substring(0, slash).toLowerCase(Locale.ROOT);
    ObjectKey key = ObjectKey.cluster(text.substring(slash + 1));
    if (!KINDS.contains(kind) || !key.flaw().isEmpty()) {
      throw new InvalidFlagException(
          "\"" + text + "\" does not name a volume: specify pv/NAME, or -n NAMESPACE");
    }
    if (namespace != null) {
      throw new InvalidFlagException("specify either pv/NAME or -n NAMESPACE, not both");
    }
    return List.of(key);
  }
}
