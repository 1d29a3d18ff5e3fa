package dev.mooring.csi.decide;

import dev.mooring.model.Attachment;
import dev.mooring.model.CsiNode;
import dev.mooring.model.Volume;
import dev.mooring.model.migration.DriverVolumes;
import dev.mooring.spi.csi.CsiConnection.ListedVolume;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Compares a driver's volumes and publications with the cluster's objects, by handle and node id.
 */
public final class DriverComparison {
  public record ClusterState(
      Collection<Volume> volumes,
      Collection<Attachment> attachments,
      Collection<CsiNode> nodes,
      Map<String, String> inline,
      Set<String> inPods) {}

  private final String driver;
  private final Map<String, ListedVolume> listed;
  private final ClusterState cluster;
  private final Map<String, String> volumes = new TreeMap<>(); // PersistentVolume names by handle
  private final Map<String, String> handles = new HashMap<>(); // handles by PersistentVolume name
  private final Map<String, String> nodeIds = new HashMap<>(); // node ids by node name
  private final Map<String, String> nodes = new HashMap<>(); // node names by node id
  private final List<Attachment> attachments;

  private DriverComparison(String driver, Map<String, ListedVolume> listed, ClusterState cluster) {
    this.driver = driver;
    this.listed = new TreeMap<>(listed);
    this.cluster = cluster;
    for (Volume volume : cluster.volumes()) {
      DriverVolumes.handle(volume, driver)
          .ifPresent(handle -> {
            volumes.merge(handle, volume.meta().name(), DriverComparison::smaller);
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

  private static String smaller(String one, String other) {
    return one.compareTo(other) <= 0 ? one : other;
  }

  public static List<DriverFinding> findings(
      String driver, Map<String, ListedVolume> listed, boolean listsNodes, ClusterState cluster) {
    return new DriverComparison(driver, listed, cluster).findings(listsNodes);
  }

  private List<DriverFinding> findings(boolean listsNodes) {
    List<DriverFinding> findings = new ArrayList<>(findUnknownVolumes());
    for (Volume volume : cluster.volumes()) {
      String handle = handles.getOrDefault(volume.meta().name(), "");
      if (!handle.isEmpty() && !listed.containsKey(handle) && !volume.meta().isBeingDeleted()) {
        findings.add(new DriverFinding.MissingVolume(volume.meta().name(), handle));
      }
    }
    Set<String> known = new HashSet<>();
    cluster.volumes().forEach(volume -> known.add(volume.meta().name()));
    for (Attachment attachment : attachments) {
      if (!attachment.volumeName().isEmpty() && !known.contains(attachment.volumeName())) {
        findings.add(
            new DriverFinding.DanglingAttachment(
                attachment.meta().name(), attachment.volumeName()));
      }
    }
    if (listsNodes) {
      listed.forEach((handle, it) ->
          it.nodes()
              .forEach(nodeId -> findUnknownPublication(handle, nodeId).ifPresent(findings::add)));
      attachments.forEach(attachment -> lostPublication(attachment).ifPresent(findings::add));
    }
    return List.copyOf(findings);
  }

  private List<DriverFinding> findUnknownVolumes() {
    Set<String> used = new HashSet<>(cluster.inPods());
    attachments.forEach(attachment -> used.add(handleOf(attachment)));
    List<DriverFinding> unknown = new ArrayList<>();
    listed.forEach((handle, it) -> {
      if (!volumes.containsKey(handle) && !used.contains(handle)) {
        unknown.add(new DriverFinding.UnknownVolume(handle, it.capacityBytes()));
      }
    });
    return unknown;
  }

  private String handleOf(Attachment attachment) {
    String recorded = PublicationRecord.recorded(attachment).handle();
    if (!recorded.isEmpty()) {
      return recorded;
    }
    return attachment.volumeName().isEmpty()
        ? cluster.inline().getOrDefault(attachment.meta().name(), "")
        : handles.getOrDefault(attachment.volumeName(), "");
  }

  private String nodeIdOf(Attachment attachment) {
    String recorded = PublicationRecord.recorded(attachment).nodeId();
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

  // Without a record, an id that no CSINode has may be the former id of the attachment's node.
  private boolean mayBeFormerId(Attachment attachment, String handle, String nodeId) {
    boolean recorded = !PublicationRecord.recorded(attachment).nodeId().isEmpty();
    ListedVolume known = listed.get(handle);
    boolean hasCurrentId = known != null && known.nodes().contains(nodeIdOf(attachment));
    return !recorded && !hasCurrentId && !nodes.containsKey(nodeId);
  }

  private Optional<DriverFinding> findUnknownPublication(String handle, String nodeId) {
    boolean isInCluster = volumes.containsKey(handle);
    if (!isInCluster || attachments.stream().anyMatch(a -> accountsFor(a, handle, nodeId))) {
      return Optional.empty();
    }
    String volume = volumes.getOrDefault(handle, "");
    String node = nodes.get(nodeId);
    return Optional.of(
        node == null
            ? new DriverFinding.UnknownNode(volume, handle, nodeId)
            : new DriverFinding.UnknownPublication(volume, handle, node, nodeId));
  }

  private Optional<DriverFinding> lostPublication(Attachment attachment) {
    ListedVolume known = listed.get(handleOf(attachment));
    String nodeId = nodeIdOf(attachment);
    return known == null
            || nodeId.isEmpty()
            || !attachment.attached()
            || attachment.meta().isBeingDeleted()
            || known.nodes().contains(nodeId)
        ? Optional.empty()
        : Optional.of(
            new DriverFinding.LostPublication(
                attachment.meta().name(), attachment.volumeName(), attachment.nodeName()));
  }
}
