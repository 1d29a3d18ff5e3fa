package dev.mooring.csi;

import dev.mooring.cluster.ClusterWriter;
import dev.mooring.cluster.LiveReader;
import dev.mooring.cluster.OwnMark;
import dev.mooring.csi.decide.Checked;
import dev.mooring.csi.decide.Examination;
import dev.mooring.csi.decide.Finding;
import dev.mooring.csi.execute.InlineHandles;
import dev.mooring.csi.execute.Mending;
import dev.mooring.model.Attachment;
import dev.mooring.model.CsiNode;
import dev.mooring.model.Node;
import dev.mooring.model.Pod;
import dev.mooring.model.Volume;
import dev.mooring.spi.csi.CsiConnection;
import dev.mooring.spi.csi.CsiConnection.Listed;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/**
 * On what a driver and the cluster disagree, and what can be done about it without losing anything:
 * what {@code mooring doctor} is made of.
 *
 * @param driver the driver's name
 * @param connection its socket
 * @param reader the cluster
 * @param writer the cluster, where something is mended
 */
public record DriverExamination(
    String driver, CsiConnection connection, LiveReader reader, ClusterWriter writer) {
  /** Label of volumes that were made for what a driver holds and no object named. */
  public static final OwnMark ORPHAN = Mending.ORPHAN;

  /** Something on which they disagree; equal to what another look finds, if that is the same. */
  public record Disagreement(Finding finding) {
    /** What it is, for people. */
    public String text() {
      return finding.text();
    }

    /** Whether mending it writes to the driver or the cluster. */
    public boolean isMendable() {
      return switch (finding) {
        case Finding.UnknownVolume _, Finding.UnknownPublication _ -> true;
        case Finding.MissingVolume _,
            Finding.UnknownNode _,
            Finding.LostPublication _,
            Finding.DanglingAttachment _ ->
            false;
      };
    }

    /** Whether the driver has a volume that no PersistentVolume stands for. */
    public boolean isUnknownVolume() {
      return finding instanceof Finding.UnknownVolume;
    }
  }

  /**
   * What the cluster says.
   *
   * @param volumes every PersistentVolume
   * @param attachments every VolumeAttachment
   * @param csiNodes every CSINode
   * @param nodes every Node
   * @param pods every Pod, if the driver serves volumes that pods can name in their own specs
   */
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

  /**
   * On what the two disagree.
   *
   * @param listed the driver's volumes by their ids
   * @param saysWhere whether it says where they are published
   */
  public List<Disagreement> of(Map<String, Listed> listed, boolean saysWhere, Cluster cluster)
      throws UnansweredException, InterruptedException {
    InlineHandles inline = new InlineHandles(driver, reader);
    return switch (inline.ofAttachments(cluster.attachments())) {
      case Checked.Valid<Map<String, String>>(Map<String, String> handles) ->
          Examination.findings(
                  driver,
                  listed,
                  saysWhere,
                  new Examination.Cluster(
                      cluster.volumes(),
                      cluster.attachments(),
                      cluster.csiNodes(),
                      handles,
                      inline.ofPods(cluster.pods())))
              .stream()
              .map(Disagreement::new)
              .toList();
      case Checked.Invalid<Map<String, String>>(String why) -> throw new UnansweredException(why);
      case Checked.Unknown<Map<String, String>>(String why) -> throw new UnansweredException(why);
    };
  }

  /**
   * Mends it, if it can be; says what was done, or what a person has to do.
   *
   * @param nodes every Node, as the server has them now
   */
  public String mend(Disagreement one, Collection<Node> nodes) throws InterruptedException {
    return new Mending(driver, connection, writer).mend(one.finding(), nodes);
  }
}
