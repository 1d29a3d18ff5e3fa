package dev.mooring.csi.decide;

import dev.mooring.model.Attachment;
import dev.mooring.model.CsiNode;
import dev.mooring.model.Volume;
import dev.mooring.model.migration.DriverVolumes;
import dev.mooring.spi.csi.CsiConnection.Listed;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** Compares what a driver says it has with what the cluster says, by handles and node ids. */
public final class Examination {
  /**
   * What the cluster says.
   *
   * @param volumes every PersistentVolume
   * @param attachments every VolumeAttachment
   * @param nodes every CSINode
   * @param inline handles of the driver's inline volumes, by the names of their VolumeAttachments
   * @param inPods handles of the driver's volumes that pods name in their own specs
   */
  public record Cluster(
      Collection<Volume> volumes,
      Collection<Attachment> attachments,
      Collection<CsiNode> nodes,
      Map<String, String> inline,
      Set<String> inPods) {}

  private final String driver;
  private final Map<String, Listed> listed;
  private final Cluster cluster;
  private final Map<String, String> volumes = new TreeMap<>(); // their names by handle
  private final Map<String, String> handles = new HashMap<>(); // by the volumes' names
  private final Map<String, String> nodeIds = new HashMap<>(); // by the nodes' names
  private final Map<String, String> nodes = new HashMap<>(); // their names by id
  private final List<Attachment> attachments;

  private Examination(String driver, Map<String, Listed> listed, Cluster cluster) {
    this.driver = driver;
    this.listed = new TreeMap<>(listed);
    this.cluster = cluster;
    for (Volume volume : cluster.volumes()) {
      DriverVolumes.handle(volume, driver)
          .ifPresent(handle -> {
            volumes.merge(handle, volume.meta().name(), Examination::first);
            handles.put(volume.meta().name(), handle);
          });
    }
    for (CsiNode node : cluster.nodes()) {
      node.drivers().stream()
          .filter(d -> d.name().equals(driver))
          .forEach(d -> {
            nodeIds.put(node.meta().name(), d.nodeId());
            nodes.put(d.nodeId(), node.meta().name());
          });
    }
    attachments = cluster.attachments().stream().filter(a -> a.attacher().equals(driver)).toList();
  }

  private static String first(String one, String other) {
    return one.compareTo(other) <= 0 ? one : other;
  }

  /**
   * On what the two disagree.
   *
   * @param listed the driver's volumes by their ids
   * @param saysWhere whether it says where they are published
   */
  public static List<Finding> findings(
      String driver, Map<String, Listed> listed, boolean saysWhere, Cluster cluster) {
    return new Examination(driver, listed, cluster).findings(saysWhere);
  }

  private List<Finding> findings(boolean saysWhere) {
    List<Finding> findings = new ArrayList<>(unknownVolumes());
    for (Volume volume : cluster.volumes()) {
      String handle = handles.getOrDefault(volume.meta().name(), "");
      if (!handle.isEmpty() && !listed.containsKey(handle) && !volume.meta().isBeingDeleted()) {
        findings.add(new Finding.MissingVolume(volume.meta().name(), handle));
      }
    }
    Set<String> known = new HashSet<>();
    cluster.volumes().forEach(volume -> known.add(volume.meta().name()));
    for (Attachment attachment : attachments) {
      if (!attachment.volumeName().isEmpty() && !known.contains(attachment.volumeName())) {
        findings.add(
            new Finding.DanglingAttachment(attachment.meta().name(), attachment.volumeName()));
      }
    }
    if (saysWhere) {
      listed.forEach((handle, it) ->
          it.nodes().forEach(nodeId -> publication(handle, nodeId).ifPresent(findings::add)));
      attachments.forEach(attachment -> lost(attachment).ifPresent(findings::add));
    }
    return List.copyOf(findings);
  }

  private List<Finding> unknownVolumes() {
    Set<String> used = new HashSet<>(cluster.inPods());
    attachments.forEach(attachment -> used.add(handleOf(attachment)));
    List<Finding> unknown = new ArrayList<>();
    listed.forEach((handle, it) -> {
      if (!volumes.containsKey(handle) && !used.contains(handle)) {
        unknown.add(new Finding.UnknownVolume(handle, it.capacityBytes()));
      }
    });
    return unknown;
  }

  /** The recorded handle, or else that of the inline volume or the PersistentVolume. */
  private String handleOf(Attachment attachment) {
    String recorded = Publication.recorded(attachment).handle();
    if (!recorded.isEmpty()) {
      return recorded;
    }
    return attachment.volumeName().isEmpty()
        ? cluster.inline().getOrDefault(attachment.meta().name(), "")
        : handles.getOrDefault(attachment.volumeName(), "");
  }

  private String nodeIdOf(Attachment attachment) {
    String recorded = Publication.recorded(attachment).nodeId();
    return recorded.isEmpty() ? nodeIds.getOrDefault(attachment.nodeName(), "") : recorded;
  }

  private boolean accountsFor(Attachment attachment, String handle, String nodeId) {
    String name = Attachment.nameOf(driver, handle, attachment.nodeName());
    if (!handleOf(attachment).equals(handle) && !attachment.meta().name().equals(name)) {
      return false;
    }
    String known = nodeIdOf(attachment);
    return known.equals(nodeId) || mayBeFormerId(attachment, handle, nodeId);
  }

  /** Without a record, an id that no CSINode has may be the former id of the attachment's node. */
  private boolean mayBeFormerId(Attachment attachment, String handle, String nodeId) {
    boolean recorded = !Publication.recorded(attachment).nodeId().isEmpty();
    Listed there = listed.get(handle);
    boolean hasCurrentId = there != null && there.nodes().contains(nodeIdOf(attachment));
    return !recorded && !hasCurrentId && !nodes.containsKey(nodeId);
  }

  /** What the driver has published, if no VolumeAttachment accounts for it. */
  private Optional<Finding> publication(String handle, String nodeId) {
    boolean isOurs = volumes.containsKey(handle);
    if (!isOurs || attachments.stream().anyMatch(a -> accountsFor(a, handle, nodeId))) {
      return Optional.empty();
    }
    String volume = volumes.getOrDefault(handle, "");
    String node = nodes.get(nodeId);
    return Optional.of(
        node == null
            ? new Finding.UnknownNode(volume, handle, nodeId)
            : new Finding.UnknownPublication(volume, handle, node, nodeId));
  }

  private Optional<Finding> lost(Attachment attachment) {
    Listed there = listed.get(handleOf(attachment));
    String nodeId = nodeIdOf(attachment);
    return there == null
            || nodeId.isEmpty()
            || !attachment.attached()
            || attachment.meta().isBeingDeleted()
            || there.nodes().contains(nodeId)
        ? Optional.empty()
        : Optional.of(
            new Finding.LostPublication(
                attachment.meta().name(), attachment.volumeName(), attachment.nodeName()));
  }
}
