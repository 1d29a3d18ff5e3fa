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
      Map<String, String> inlineHandles,
      Set<String> podHandles) {}

  private final String driver;
  private final Map<String, ListedVolume> listedVolumes;
  private final ClusterState cluster;
  private final Map<String, String> volumeNames =
      new TreeMap<>(); // PersistentVolume names by handle
  private final Map<String, String> handles = new HashMap<>(); // handles by PersistentVolume name
  private final Map<String, String> nodeIds = new HashMap<>(); // node ids by node name
  private final Map<String, String> nodeNames = new HashMap<>(); // node names by node id
  private final List<Attachment> attachments;

  private DriverComparison(
      String driver, Map<String, ListedVolume> listedVolumes, ClusterState cluster) {
    this.driver = driver;
    this.listedVolumes = new TreeMap<>(listedVolumes);
    this.cluster = cluster;
    for (Volume volume : cluster.volumes()) {
      DriverVolumes.handle(volume, driver)
          .map(this::findListed)
          .ifPresent(handle -> {
            volumeNames.merge(handle, volume.meta().name(), DriverComparison::min);
            handles.put(volume.meta().name(), handle);
          });
    }
    for (CsiNode node : cluster.nodes()) {
      node.drivers().stream()
          .filter(d -> d.name().equals(driver))
          .forEach(d -> {
            nodeIds.put(node.meta().name(), d.nodeId());
            nodeNames.put(d.nodeId(), node.meta().name());
          });
    }
    attachments = cluster.attachments().stream().filter(a -> a.attacher().equals(driver)).toList();
  }

  private String findListed(String handle) {
    return PartialHandles.findListed(handle, listedVolumes.keySet());
  }

  private static String min(String first, String second) {
    return first.compareTo(second) <= 0 ? first : second;
  }

  public static List<DriverFinding> findings(
      String driver,
      Map<String, ListedVolume> listedVolumes,
      boolean listsNodes,
      ClusterState cluster) {
    return new DriverComparison(driver, listedVolumes, cluster).collectFindings(listsNodes);
  }

  private List<DriverFinding> collectFindings(boolean listsNodes) {
    List<DriverFinding> findings = new ArrayList<>(findUnknownVolumes());
    for (Volume volume : cluster.volumes()) {
      String handle = handles.getOrDefault(volume.meta().name(), "");
      if (!handle.isEmpty()
          && !listedVolumes.containsKey(handle)
          && !volume.meta().isBeingDeleted()) {
        findings.add(new DriverFinding.MissingVolume(volume.meta().name(), handle));
      }
    }
    Set<String> existingVolumes = new HashSet<>();
    cluster.volumes().forEach(volume -> existingVolumes.add(volume.meta().name()));
    for (Attachment attachment : attachments) {
      if (!attachment.volumeName().isEmpty()
          && !existingVolumes.contains(attachment.volumeName())) {
        findings.add(
            new DriverFinding.DanglingAttachment(
                attachment.meta().name(), attachment.volumeName()));
      }
    }
    if (listsNodes) {
      listedVolumes.forEach((handle, listedVolume) ->
          listedVolume
              .nodes()
              .forEach(nodeId -> findUnknownPublication(handle, nodeId).ifPresent(findings::add)));
      attachments.forEach(attachment -> findLostPublication(attachment).ifPresent(findings::add));
    }
    return List.copyOf(findings);
  }

  private List<DriverFinding> findUnknownVolumes() {
    Set<String> usedHandles = new HashSet<>();
    cluster.podHandles().forEach(handle -> usedHandles.add(findListed(handle)));
    attachments.forEach(attachment -> usedHandles.add(handleOf(attachment)));
    List<DriverFinding> unknownVolumes = new ArrayList<>();
    listedVolumes.forEach((handle, listedVolume) -> {
      if (!volumeNames.containsKey(handle) && !usedHandles.contains(handle)) {
        unknownVolumes.add(new DriverFinding.UnknownVolume(handle, listedVolume.capacityBytes()));
      }
    });
    return unknownVolumes;
  }

  private String handleOf(Attachment attachment) {
    String recordedHandle = PublicationRecord.read(attachment).handle();
    String handle = recordedHandle.isEmpty() ? currentHandleOf(attachment) : recordedHandle;
    return PartialHandles.complete(handle, nodeIdOf(attachment)).orElse(handle);
  }

  private String currentHandleOf(Attachment attachment) {
    return attachment.volumeName().isEmpty()
        ? cluster.inlineHandles().getOrDefault(attachment.meta().name(), "")
        : handles.getOrDefault(attachment.volumeName(), "");
  }

  private String nodeIdOf(Attachment attachment) {
    String recordedNodeId = PublicationRecord.read(attachment).nodeId();
    return recordedNodeId.isEmpty()
        ? nodeIds.getOrDefault(attachment.nodeName(), "")
        : recordedNodeId;
  }

  private boolean accountsFor(Attachment attachment, String handle, String nodeId) {
    String name = Attachment.nameOf(driver, handle, attachment.nodeName());
    if (!handleOf(attachment).equals(handle) && !attachment.meta().name().equals(name)) {
      return false;
    }
    String attachmentNodeId = nodeIdOf(attachment);
    return attachmentNodeId.equals(nodeId) || mayBeFormerId(attachment, handle, nodeId);
  }

  // Without a record, an id that no CSINode has may be the former id of the attachment's node.
  private boolean mayBeFormerId(Attachment attachment, String handle, String nodeId) {
    boolean isRecorded = !PublicationRecord.read(attachment).nodeId().isEmpty();
    ListedVolume listedVolume = listedVolumes.get(handle);
    boolean hasCurrentId =
        listedVolume != null && listedVolume.nodes().contains(nodeIdOf(attachment));
    return !isRecorded && !hasCurrentId && !nodeNames.containsKey(nodeId);
  }

  private Optional<DriverFinding> findUnknownPublication(String handle, String nodeId) {
    boolean isInCluster = volumeNames.containsKey(handle);
    if (!isInCluster || attachments.stream().anyMatch(a -> accountsFor(a, handle, nodeId))) {
      return Optional.empty();
    }
    String volume = volumeNames.getOrDefault(handle, "");
    String node = nodeNames.get(nodeId);
    return Optional.of(
        node == null
            ? new DriverFinding.UnknownNode(volume, handle, nodeId)
            : new DriverFinding.UnknownPublication(volume, handle, node, nodeId));
  }

  private Optional<DriverFinding> findLostPublication(Attachment attachment) {
    ListedVolume listedVolume = listedVolumes.get(handleOf(attachment));
    String nodeId = nodeIdOf(attachment);
    return listedVolume == null
            || nodeId.isEmpty()
            || !attachment.attached()
            || attachment.meta().isBeingDeleted()
            || listedVolume.nodes().contains(nodeId)
        ? Optional.empty()
        : Optional.of(
            new DriverFinding.LostPublication(
                attachment.meta().name(), attachment.volumeName(), attachment.nodeName()));
  }
}
