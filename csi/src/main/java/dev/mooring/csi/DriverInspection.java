package dev.mooring.csi;

import dev.mooring.cluster.ClusterWriter;
import dev.mooring.cluster.LiveReader;
import dev.mooring.cluster.OwnedKey;
import dev.mooring.csi.decide.CheckResult;
import dev.mooring.csi.decide.DriverFinding;
import dev.mooring.csi.execute.OrphanRepair;
import dev.mooring.csi.execute.VolumeComparison;
import dev.mooring.model.Attachment;
import dev.mooring.model.CsiNode;
import dev.mooring.model.Node;
import dev.mooring.model.Pod;
import dev.mooring.model.Volume;
import dev.mooring.spi.csi.CsiConnection;
import dev.mooring.spi.csi.CsiConnection.ListedVolume;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/**
 * Differences between a driver and the cluster, and their safe repair. {@code mooring doctor} uses
 * it.
 */
public record DriverInspection(
    String driver, CsiConnection connection, LiveReader reader, ClusterWriter writer) {
  public static final OwnedKey ORPHAN = OrphanRepair.ORPHAN;

  /** A difference. Two runs return equal values for the same difference. */
  public record Disagreement(DriverFinding finding) {
    public String text() {
      return finding.text();
    }

    public boolean isRepairable() {
      return switch (finding) {
        case DriverFinding.UnknownVolume _, DriverFinding.UnknownPublication _ -> true;
        case DriverFinding.MissingVolume _,
            DriverFinding.UnknownNode _,
            DriverFinding.LostPublication _,
            DriverFinding.DanglingAttachment _ ->
            false;
      };
    }

    public boolean isUnknownVolume() {
      return finding instanceof DriverFinding.UnknownVolume;
    }
  }

  public record Cluster(
      Collection<Volume> volumes,
      Collection<Attachment> attachments,
      Collection<CsiNode> csiNodes,
      Collection<Node> nodes,
      Collection<Pod> pods) {}

  public static final class UnansweredException extends Exception {
    private static final long serialVersionUID = 1L;

    UnansweredException(String message) {
      super(message);
    }
  }

  public List<Disagreement> findDisagreements(
      Map<String, ListedVolume> listedVolumes, boolean listsNodes, Cluster cluster)
      throws UnansweredException, InterruptedException {
    return switch (new VolumeComparison(driver, reader)
        .compare(
            listedVolumes,
            listsNodes,
            new VolumeComparison.ClusterObjects(
                cluster.volumes(), cluster.attachments(), cluster.csiNodes(), cluster.pods()))) {
      case CheckResult.Valid<List<DriverFinding>>(List<DriverFinding> findings) ->
          findings.stream().map(Disagreement::new).toList();
      case CheckResult.Invalid<List<DriverFinding>>(String reason) ->
          throw new UnansweredException(reason);
      case CheckResult.Unknown<List<DriverFinding>>(String reason) ->
          throw new UnansweredException(reason);
    };
  }

  public String repair(Disagreement disagreement, Collection<Node> nodes)
      throws InterruptedException {
    return new OrphanRepair(driver, connection, writer).repair(disagreement.finding(), nodes);
  }
}
