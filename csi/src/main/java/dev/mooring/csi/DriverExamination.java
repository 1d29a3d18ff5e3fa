package dev.mooring.csi;

import dev.mooring.cluster.ClusterWriter;
import dev.mooring.cluster.OwnMark;
import dev.mooring.csi.decide.Examination;
import dev.mooring.csi.decide.Finding;
import dev.mooring.csi.execute.Mending;
import dev.mooring.model.Attachment;
import dev.mooring.model.CsiNode;
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
 * @param writer the cluster, where something is mended
 */
public record DriverExamination(String driver, CsiConnection connection, ClusterWriter writer) {
  /** Label of volumes that were made for what a driver holds and no object named. */
  public static final OwnMark ORPHAN = Mending.ORPHAN;

  /** Something on which they disagree; equal to what another look finds, if that is the same. */
  public record Disagreement(Finding finding) {
    /** What it is, for people. */
    public String text() {
      return finding.text();
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
   * @param nodes every CSINode
   */
  public record Cluster(
      Collection<Volume> volumes, Collection<Attachment> attachments, Collection<CsiNode> nodes) {}

  /**
   * On what the two disagree.
   *
   * @param listed the driver's volumes by their ids
   * @param saysWhere whether it says where they are published
   */
  public List<Disagreement> of(Map<String, Listed> listed, boolean saysWhere, Cluster cluster) {
    return Examination.findings(
            driver,
            listed,
            saysWhere,
            new Examination.Cluster(cluster.volumes(), cluster.attachments(), cluster.nodes()))
        .stream()
        .map(Disagreement::new)
        .toList();
  }

  /** Mends it, if it can be; says what was done, or what a person has to do. */
  public String mend(Disagreement one) throws InterruptedException {
    return new Mending(driver, connection, writer).mend(one.finding());
  }
}
