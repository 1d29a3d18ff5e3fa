package dev.mooring.csi.decide;

import dev.mooring.model.Attachment;
import dev.mooring.model.CsiNode;
import dev.mooring.model.Volume;
import dev.mooring.model.migration.DriverVolumes;
import dev.mooring.spi.csi.CsiConnection.Listed;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Compares what a driver says it has with what the cluster says. */
public final class Examination {
  /**
   * What the cluster says.
   *
   * @param volumes every PersistentVolume
   * @param attachments every VolumeAttachment
   * @param nodes every CSINode
   */
  public record Cluster(
      Collection<Volume> volumes, Collection<Attachment> attachments, Collection<CsiNode> nodes) {}

  private Examination() {}

  /**
   * On what the two disagree.
   *
   * @param listed the driver's volumes by their ids
   * @param saysWhere whether it says where they are published
   */
  public static List<Finding> findings(
      String driver, Map<String, Listed> listed, boolean saysWhere, Cluster cluster) {
    Map<String, Volume> byId = new LinkedHashMap<>();
    Map<String, Volume> byName = new HashMap<>();
    for (Volume volume : cluster.volumes()) {
      DriverVolumes.handle(volume, driver)
          .ifPresent(id -> {
            byId.put(id, volume);
            byName.put(volume.meta().name(), volume);
          });
    }
    List<Finding> findings = new ArrayList<>();
    new TreeMap<>(listed)
        .forEach((id, it) -> {
          if (!byId.containsKey(id)) {
            findings.add(new Finding.UnknownVolume(id, it.capacityBytes()));
          }
        });
    byId.forEach((id, volume) -> {
      if (!listed.containsKey(id) && !volume.meta().isBeingDeleted()) {
        findings.add(new Finding.MissingVolume(volume.meta().name(), id));
      }
    });
    List<Attachment> attachments =
        cluster.attachments().stream().filter(a -> a.attacher().equals(driver)).toList();
    Set<String> known =
        cluster.volumes().stream().map(v -> v.meta().name()).collect(Collectors.toSet());
    for (Attachment attachment : attachments) {
      if (!attachment.volumeName().isEmpty() && !known.contains(attachment.volumeName())) {
        findings.add(
            new Finding.DanglingAttachment(attachment.meta().name(), attachment.volumeName()));
      }
    }
    if (saysWhere) {
      findings.addAll(publications(driver, nodeIds(driver, cluster), listed, byName, attachments));
    }
    return List.copyOf(findings);
  }

  private static Map<String, String> nodeIds(String driver, Cluster cluster) {
    Map<String, String> ids = new TreeMap<>();
    for (CsiNode node : cluster.nodes()) {
      node.drivers().stream()
          .filter(d -> d.name().equals(driver))
          .forEach(d -> ids.put(node.meta().name(), d.nodeId()));
    }
    return ids;
  }

  private static List<Finding> publications(
      String driver,
      Map<String, String> nodeIds,
      Map<String, Listed> listed,
      Map<String, Volume> byName,
      List<Attachment> attachments) {
    List<Finding> findings = new ArrayList<>();
    new TreeMap<>(byName)
        .forEach((name, volume) -> {
          String id = DriverVolumes.handle(volume, driver).orElse("");
          Listed there = listed.get(id);
          if (there == null) {
            return;
          }
          nodeIds.forEach((node, nodeId) -> {
            List<Attachment> here =
                attachments.stream()
                    .filter(a -> a.volumeName().equals(name) && a.nodeName().equals(node))
                    .toList();
            boolean published = there.nodes().contains(nodeId);
            if (published && here.isEmpty()) {
              findings.add(new Finding.UnknownPublication(name, id, node, nodeId));
            }
            here.stream()
                .filter(a -> a.attached() && !published && !a.meta().isBeingDeleted())
                .forEach(
                    a -> findings.add(new Finding.LostPublication(a.meta().name(), name, node)));
          });
        });
    return findings;
  }
}
