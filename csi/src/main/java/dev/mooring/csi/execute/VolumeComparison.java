package dev.mooring.csi.execute;

import dev.mooring.cluster.LiveReader;
import dev.mooring.csi.decide.CheckResult;
import dev.mooring.csi.decide.DriverComparison;
import dev.mooring.csi.decide.DriverFinding;
import dev.mooring.model.Attachment;
import dev.mooring.model.CsiNode;
import dev.mooring.model.Pod;
import dev.mooring.model.Volume;
import dev.mooring.spi.csi.CsiConnection.ListedVolume;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/** Compares a driver's list with the cluster, for {@code doctor} and for the running process. */
public record VolumeComparison(String driver, LiveReader reader) {
  public record ClusterObjects(
      Collection<Volume> volumes,
      Collection<Attachment> attachments,
      Collection<CsiNode> csiNodes,
      Collection<Pod> pods) {}

  public CheckResult<List<DriverFinding>> compare(
      Map<String, ListedVolume> listedVolumes, boolean listsNodes, ClusterObjects cluster)
      throws InterruptedException {
    InlineHandles inline = new InlineHandles(driver, reader);
    return inline
        .readFromAttachments(cluster.attachments())
        .then(handles ->
            new CheckResult.Valid<>(
                DriverComparison.findings(
                    driver,
                    listedVolumes,
                    listsNodes,
                    new DriverComparison.ClusterState(
                        cluster.volumes(),
                        cluster.attachments(),
                        cluster.csiNodes(),
                        handles,
                        inline.findInPods(cluster.pods())))));
  }
}
