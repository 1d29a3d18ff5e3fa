package dev.mooring.csi.execute;

import dev.mooring.cluster.LiveReader;
import dev.mooring.cluster.ReadResult;
import dev.mooring.csi.decide.AbandonedVolume;
import dev.mooring.csi.decide.CheckResult;
import dev.mooring.csi.decide.DriverFinding;
import dev.mooring.csi.decide.OrphanRules;
import dev.mooring.csi.decide.OrphanRules.DriverList;
import dev.mooring.csi.decide.OrphanRules.References;
import dev.mooring.csi.decide.OrphanRules.Review;
import dev.mooring.csi.execute.VolumeComparison.ClusterObjects;
import dev.mooring.csi.state.OrphanMemory;
import dev.mooring.informer.SharedInformers;
import dev.mooring.model.Attachment;
import dev.mooring.model.Claim;
import dev.mooring.model.CsiNode;
import dev.mooring.model.Kind;
import dev.mooring.model.Resource;
import dev.mooring.model.SnapshotContent;
import dev.mooring.model.Uid;
import dev.mooring.model.Volume;
import dev.mooring.model.migration.DriverVolumes;
import dev.mooring.spi.csi.CsiConnection.ListedVolume;
import dev.mooring.spi.csi.DriverIdentity;
import dev.mooring.spi.csi.DriverIdentity.DriverCapability;
import dev.mooring.spi.csi.DriverReply;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Searches a driver's list for volumes that this cluster deleted. Deletes nothing. Calls the driver
 * only while such volumes are to be confirmed as gone. Runs on one thread.
 *
 * @param maxEntries maximum number of entries in one answer; 0 for no limit
 */
public record OrphanMonitor(
    DriverSession session,
    SharedInformers informers,
    LiveReader reader,
    OrphanReporter reporter,
    OrphanMemory memory,
    int maxEntries) {
  public void check() throws InterruptedException {
    Optional<DriverIdentity> identity = session.identity();
    if (identity.isEmpty()) {
      return;
    }
    if (!identity.get().can(DriverCapability.LIST_VOLUMES)) {
      memory.clear(); // no list can confirm anything
      return;
    }
    List<AbandonedVolume> candidates = memory.snapshot(); // before the list begins
    if (candidates.isEmpty()) {
      return;
    }
    switch (session.call("ListVolumes", c -> c.listVolumes(maxEntries))) {
      case DriverReply.Ok<Map<String, ListedVolume>>(Map<String, ListedVolume> volumes) ->
          review(
              candidates,
              volumes,
              identity.get().can(DriverCapability.LIST_VOLUMES_PUBLISHED_NODES));
      case DriverReply.Refused<Map<String, ListedVolume>> refusal -> fail(refusal.text());
    }
  }

  private void fail(String message) {
    memory.countFailure();
    reporter.logFailure(message);
  }

  // The candidates were remembered before the list began.
  void review(
      List<AbandonedVolume> candidates, Map<String, ListedVolume> volumes, boolean listsNodes)
      throws InterruptedException {
    Map<String, ListedVolume> present = new HashMap<>(volumes);
    present
        .keySet()
        .retainAll(candidates.stream().map(AbandonedVolume::handle).collect(Collectors.toSet()));
    switch (present.isEmpty()
        ? new CheckResult.Valid<>(new ClusterObjects(List.of(), List.of(), List.of(), List.of()))
        : readObjects()) {
      case CheckResult.Valid<ClusterObjects>(ClusterObjects objects) ->
          review(candidates, present, listsNodes, objects);
      case CheckResult.Invalid<ClusterObjects>(String reason) -> fail(reason);
      case CheckResult.Unknown<ClusterObjects>(String reason) -> fail(reason);
    }
  }

  private void review(
      List<AbandonedVolume> candidates,
      Map<String, ListedVolume> present,
      boolean listsNodes,
      ClusterObjects objects)
      throws InterruptedException {
    switch (new VolumeComparison(session.driver(), reader).compare(present, listsNodes, objects)) {
      case CheckResult.Valid<List<DriverFinding>>(List<DriverFinding> findings) -> {
        DriverList list =
            new DriverList(present, unknownHandles(findings), nodeIds(objects), listsNodes);
        References references = references(objects);
        candidates.forEach(volume -> apply(volume, OrphanRules.review(volume, list, references)));
      }
      case CheckResult.Invalid<List<DriverFinding>>(String reason) -> fail(reason);
      case CheckResult.Unknown<List<DriverFinding>>(String reason) -> fail(reason);
    }
  }

  private void apply(AbandonedVolume reviewed, Review review) {
    switch (review) {
      case Review.Forget() -> memory.forget(reviewed);
      case Review.Watch(AbandonedVolume volume) -> memory.replace(reviewed, volume);
      case Review.Report(AbandonedVolume volume) -> {
        if (memory.replace(reviewed, volume)) {
          reporter.report(volume);
        }
      }
    }
  }

  // Lists the volumes and attachments live: a cache may lack an object that names a volume again.
  private CheckResult<ClusterObjects> readObjects() throws InterruptedException {
    ReadResult<List<Volume>> volumes = list(Kind.VOLUME);
    ReadResult<List<Attachment>> attachments = list(Kind.ATTACHMENT);
    if (volumes instanceof ReadResult.Found<List<Volume>>(List<Volume> foundVolumes)
        && attachments
            instanceof ReadResult.Found<List<Attachment>>(List<Attachment> foundAttachments)) {
      return new CheckResult.Valid<>(
          new ClusterObjects(
              foundVolumes,
              foundAttachments,
              informers.of(Kind.CSI_NODE).snapshot().toList(),
              informers.of(Kind.POD).snapshot().toList()));
    }
    return new CheckResult.Unknown<>("volumes or attachments could not be listed");
  }

  private <T extends Resource> ReadResult<List<T>> list(Kind<T> kind) throws InterruptedException {
    return reader.list(kind, "");
  }

  private static Set<String> unknownHandles(List<DriverFinding> findings) {
    Set<String> handles = new HashSet<>();
    for (DriverFinding finding : findings) {
      if (finding instanceof DriverFinding.UnknownVolume(String handle, long _)) {
        handles.add(handle);
      }
    }
    return handles;
  }

  private Set<String> nodeIds(ClusterObjects objects) {
    return objects.csiNodes().stream()
        .flatMap(node -> node.drivers().stream())
        .filter(driver -> driver.name().equals(session.driver()))
        .map(CsiNode.Driver::nodeId)
        .collect(Collectors.toSet());
  }

  private References references(ClusterObjects objects) {
    Map<String, Set<Uid>> volumes = new HashMap<>();
    for (Volume volume : objects.volumes()) {
      DriverVolumes.handle(volume, session.driver())
          .ifPresent(handle ->
              volumes.computeIfAbsent(handle, h -> new HashSet<>()).add(volume.meta().uid()));
    }
    Set<Uid> pendingClaims = new HashSet<>();
    for (Claim claim : informers.of(Kind.CLAIM).snapshot().objects()) {
      if (claim.volumeName().isEmpty()) {
        pendingClaims.add(claim.meta().uid());
      }
    }
    Set<String> snapshotSources = new HashSet<>();
    for (SnapshotContent content : informers.of(Kind.SNAPSHOT_CONTENT).snapshot().objects()) {
      if (content.driver().equals(session.driver())) {
        snapshotSources.add(content.source().volumeHandle());
      }
    }
    return new References(volumes, pendingClaims, snapshotSources);
  }
}
