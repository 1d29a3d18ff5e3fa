package dev.mooring.csi.execute;

import dev.mooring.cluster.ClusterPorts;
import dev.mooring.cluster.Document;
import dev.mooring.cluster.LiveDecisions;
import dev.mooring.cluster.ReadResult;
import dev.mooring.cluster.WriteResult;
import dev.mooring.csi.decide.AttachmentScope;
import dev.mooring.csi.decide.CheckResult;
import dev.mooring.csi.decide.DriverOptions;
import dev.mooring.csi.decide.PublicationRecord;
import dev.mooring.csi.decide.PublishRules;
import dev.mooring.csi.decide.PublishRules.PublishStep;
import dev.mooring.csi.decide.WithdrawCheck;
import dev.mooring.csi.decide.WithdrawCheck.WithdrawVerdict;
import dev.mooring.csi.execute.AttachmentStatusWriter.ErrorField;
import dev.mooring.csi.execute.PublishException.Problem;
import dev.mooring.csi.execute.VolumeSourceReader.DriverVolume;
import dev.mooring.csi.state.AttachmentMemory;
import dev.mooring.csi.state.DriverNodes;
import dev.mooring.live.LiveFacts;
import dev.mooring.live.RawObject;
import dev.mooring.model.Attachment;
import dev.mooring.model.Kind;
import dev.mooring.model.Volume;
import dev.mooring.reconcile.Outcome;
import dev.mooring.spi.csi.CsiConnection.Done;
import dev.mooring.spi.csi.CsiConnection.PublishRequest;
import dev.mooring.spi.csi.DriverIdentity;
import dev.mooring.spi.csi.DriverIdentity.DriverCapability;
import dev.mooring.spi.csi.DriverReply;
import dev.mooring.spi.csi.DriverSecrets;
import dev.mooring.spi.csi.VolumeAccess;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/** Publishes and unpublishes volumes for VolumeAttachments. Thread-safe. */
public record VolumePublisher(
    DriverSession session,
    DriverOptions options,
    ClusterPorts ports,
    DriverNodes nodes,
    AttachmentMemory memory) {
  private static final String STATUS = "status";
  private static final String METADATA = "attachmentMetadata";

  AttachmentScope scope() {
    return new AttachmentScope(nodes.driver(), nodes.onlyNode());
  }

  private String finalizer() {
    return scope().finalizer();
  }

  private DriverFinalizers finalizers() {
    return new DriverFinalizers(ports.writer());
  }

  private Outcome reportFailure(Attachment attachment, ErrorField field, PublishException failure)
      throws InterruptedException {
    return new AttachmentStatusWriter(ports.writer(), ports.time())
        .reportFailure(attachment, field, failure);
  }

  public Outcome sync(Attachment attachment, boolean isForced) throws InterruptedException {
    Optional<DriverIdentity> identity = session.identity();
    boolean hasFinalizer = attachment.meta().finalizers().contains(finalizer());
    return switch (PublishRules.decideStep(attachment, identity, hasFinalizer, isForced)) {
      case PublishStep.NoAction() -> Outcome.SETTLED;
      case PublishStep.Attached() ->
          AttachmentStatusWriter.toOutcome(
              attachment, writeAttached(attachment, Map.of(), Set.of()));
      case PublishStep.Publish() -> attach(attachment, identity.orElseThrow());
      case PublishStep.Unpublish() -> detach(attachment);
    };
  }

  private Outcome attach(Attachment attachment, DriverIdentity identity)
      throws InterruptedException {
    try {
      DriverVolume source = readSource(attachment);
      checkHandle(attachment, source, attachment.attached());
      if (source.volume().isPresent()) {
        protectVolume(source.volume().get());
      }
      boolean isReadOnly =
          identity.can(DriverCapability.PUBLISH_READONLY) && source.csi().flag("readOnly");
      VolumeAccess access = computeAccess(source, identity);
      DriverSecrets credentials = readSecrets(source);
      PublicationRecord target = choosePublication(attachment, source, attachment.attached());
      PublicationRecord recorded = PublicationRecord.read(attachment);
      if (recorded.differsFrom(target)) {
        withdraw(attachment, recorded.orElse(target), credentials);
      }
      PublishRequest request =
          new PublishRequest(
              target.handle(),
              target.nodeId(),
              access,
              isReadOnly,
              credentials,
              source.csi().at("volumeAttributes").texts());
      return runExclusively(target, () -> publish(attachment, target, request));
    } catch (PublishException e) {
      return reportFailure(attachment, ErrorField.ATTACH, e);
    }
  }

  private Outcome publish(Attachment attachment, PublicationRecord target, PublishRequest request)
      throws PublishException, InterruptedException {
    Attachment protectedAttachment = protectAttachment(attachment, target);
    Set<String> earlierKeys = readMetadataKeys(protectedAttachment);
    return switch (session.call("ControllerPublishVolume", c -> c.publish(request))) {
      case DriverReply.Ok<Map<String, String>>(Map<String, String> context) ->
          AttachmentStatusWriter.toOutcome(
              attachment, writeAttached(protectedAttachment, context, earlierKeys));
      case DriverReply.Refused<Map<String, String>> refusal ->
          throw new PublishException(Problem.of(refusal));
    };
  }

  private interface PublishCall {
    Outcome run() throws PublishException, InterruptedException;
  }

  // Serializes calls for one volume on one node: two attachments may name it.
  private Outcome runExclusively(PublicationRecord target, PublishCall call)
      throws PublishException, InterruptedException {
    if (!memory.tryStartCall(target)) {
      throw PublishException.conflicted(
          "another VolumeAttachment of this volume and node is in progress");
    }
    try {
      return call.run();
    } finally {
      memory.endCall(target);
    }
  }

  // An earlier call may have published the volume to the recorded node. It must be unpublished
  // there before it is published elsewhere. The attachment was never attached, so no pod uses the
  // volume through it.
  private void withdraw(
      Attachment attachment, PublicationRecord recorded, DriverSecrets credentials)
      throws PublishException, InterruptedException {
    switch (LiveDecisions.decide(
        ports.reader(), LiveFacts.NONE, live -> WithdrawCheck.decide(attachment, live))) {
      case WithdrawVerdict.Allowed() -> {}
      case WithdrawVerdict.Changed() ->
          throw PublishException.conflicted("the VolumeAttachment has changed");
      case WithdrawVerdict.Unknown(String reason) -> throw PublishException.unanswered(reason);
    }
    if (!memory.hasOtherAttachment(attachment, recorded)
        && session.call(
                "ControllerUnpublishVolume",
                c -> c.unpublish(recorded.handle(), recorded.nodeId(), credentials))
            instanceof DriverReply.Refused<Done> refusal) {
      throw new PublishException(
          new Problem(
              refusal.text() + describeNodeIdChange(attachment, recorded),
              OptionalInt.of(refusal.code().number())));
    }
  }

  private Outcome detach(Attachment attachment) throws InterruptedException {
    try {
      DriverVolume source = readSource(attachment);
      DriverSecrets credentials = readSecrets(source);
      if (PublicationRecord.read(attachment).handle().isEmpty()) {
        checkHandle(attachment, source, true);
      }
      PublicationRecord target = choosePublication(attachment, source, true);
      return runExclusively(target, () -> unpublish(attachment, target, credentials));
    } catch (PublishException e) {
      return reportFailure(attachment, ErrorField.DETACH, e);
    }
  }

  private Outcome unpublish(
      Attachment attachment, PublicationRecord target, DriverSecrets credentials)
      throws PublishException, InterruptedException {
    if (memory.hasOtherAttachment(attachment, target)) {
      return release(attachment);
    }
    return switch (session.call(
        "ControllerUnpublishVolume",
        c -> c.unpublish(target.handle(), target.nodeId(), credentials))) {
      case DriverReply.Ok<Done> _ -> release(attachment);
      case DriverReply.Refused<Done> refusal ->
          throw new PublishException(
              new Problem(
                  refusal.text() + describeNodeIdChange(attachment, target), OptionalInt.empty()));
    };
  }

  // The driver may refuse the recorded node id after the node got another one.
  private String describeNodeIdChange(Attachment attachment, PublicationRecord publication) {
    Optional<String> currentNodeId = nodes.nodeId(attachment.nodeName());
    return currentNodeId.isEmpty() || currentNodeId.get().equals(publication.nodeId())
        ? ""
        : ": node "
            + attachment.nodeName()
            + " had node id \""
            + publication.nodeId()
            + "\" at the attach, and its CSINode has \""
            + currentNodeId.get()
            + "\" now; if the storage has detached the volume from the former node id, remove the annotation "
            + PublicationRecord.NODE_ID
            + " from the VolumeAttachment";
  }

  private PublicationRecord choosePublication(
      Attachment attachment, DriverVolume source, boolean prefersRecord) throws PublishException {
    PublicationRecord recorded = PublicationRecord.read(attachment);
    return prefersRecord
        ? recorded.orElse(
            new PublicationRecord(
                source.handle(), recorded.nodeId().isEmpty() ? currentNodeId(attachment) : ""))
        : new PublicationRecord(source.handle(), currentNodeId(attachment));
  }

  // The attachment may have been created for an earlier PersistentVolume of that name.
  private static void checkHandle(Attachment attachment, DriverVolume source, boolean prefersRecord)
      throws PublishException {
    boolean isCsi =
        source.volume().filter(volume -> volume.source().type().equals("csi")).isPresent();
    String recordedHandle = PublicationRecord.read(attachment).handle();
    boolean isDifferent =
        prefersRecord && !recordedHandle.isEmpty() && !recordedHandle.equals(source.handle());
    if (isDifferent
        || isCsi && PublicationRecord.isNamedForOtherHandle(attachment, source.handle())) {
      throw PublishException.otherVolume(
          "PersistentVolume "
              + attachment.volumeName()
              + " has volume handle \""
              + source.handle()
              + "\", and the VolumeAttachment is for another handle: delete the VolumeAttachment;"
              + " if it lacks annotation "
              + PublicationRecord.VOLUME_HANDLE
              + ", set the annotation to the former handle");
    }
  }

  // The finalizer first: in the other order a crash would repeat the unpublish call.
  private Outcome release(Attachment attachment) throws InterruptedException {
    WriteResult<Attachment> result = finalizers().remove(Kind.ATTACHMENT, attachment, finalizer());
    if (!(result instanceof WriteResult.Written<Attachment>(Attachment releasedAttachment))) {
      return AttachmentStatusWriter.toOutcome(attachment, result);
    }
    if (releasedAttachment.meta().finalizers().isEmpty()) {
      return Outcome.SETTLED; // deleted with its last finalizer
    }
    return AttachmentStatusWriter.toOutcome(
        attachment,
        ports
            .writer()
            .patchStatus(
                Kind.ATTACHMENT,
                attachment.key(),
                Document.patchOf(releasedAttachment.meta())
                    .set(false, STATUS, "attached")
                    .set(null, STATUS, METADATA)
                    .set(null, STATUS, "detachError")));
  }

  private VolumeSourceReader sourceReader() {
    return new VolumeSourceReader(ports.reader(), session.driver());
  }

  private DriverVolume readSource(Attachment attachment)
      throws PublishException, InterruptedException {
    return requireValid(
        attachment.volumeName().isEmpty()
            ? sourceReader().readInline(attachment.key())
            : sourceReader().read(attachment.volumeName()));
  }

  private VolumeAccess computeAccess(DriverVolume source, DriverIdentity identity)
      throws PublishException {
    return requireValid(source.access(identity, options));
  }

  private DriverSecrets readSecrets(DriverVolume source)
      throws PublishException, InterruptedException {
    return requireValid(
        new SecretReader(ports.reader()).read(source.secretRef("controllerPublishSecretRef")));
  }

  private static <T> T requireValid(CheckResult<T> result) throws PublishException {
    return switch (result) {
      case CheckResult.Valid<T>(T value) -> value;
      case CheckResult.Invalid<T>(String reason) -> throw new PublishException(Problem.of(reason));
      case CheckResult.Unknown<T>(String reason) -> throw PublishException.unanswered(reason);
    };
  }

  public String nodeId(Attachment attachment) {
    Optional<String> currentNodeId = nodes.nodeId(attachment.nodeName());
    return PublicationRecord.read(attachment)
        .orElse(new PublicationRecord("", currentNodeId.orElse("")))
        .nodeId();
  }

  private String currentNodeId(Attachment attachment) throws PublishException {
    return nodes
        .nodeId(attachment.nodeName())
        .orElseThrow(() ->
            new PublishException(
                Problem.of(
                    nodes.hasCsiNode(attachment.nodeName())
                        ? "CSINode "
                            + attachment.nodeName()
                            + " does not contain driver "
                            + session.driver()
                        : "csinode.storage.k8s.io \"" + attachment.nodeName() + "\" not found")));
  }

  // Keeps the PersistentVolume while it may be published.
  private void protectVolume(Volume volume) throws PublishException, InterruptedException {
    if (volume.meta().isBeingDeleted()) {
      throw PublishException.volumeDeleted(volume);
    }
    if (volume.finalizers().contains(finalizer())) {
      return;
    }
    WriteResult<Volume> result = finalizers().add(Kind.VOLUME, volume, finalizer());
    if (result.toOptional().isEmpty()) {
      throw PublishException.unwritten("could not add PersistentVolume finalizer", result);
    }
  }

  // Records the driver's call and keeps the attachment until the call is undone.
  private Attachment protectAttachment(Attachment attachment, PublicationRecord target)
      throws PublishException, InterruptedException {
    boolean hasFinalizer = attachment.meta().finalizers().contains(finalizer());
    if (hasFinalizer && PublicationRecord.read(attachment).equals(target)) {
      return attachment;
    }
    Document patch =
        Document.patchOf(attachment.meta())
            .set(attachment.meta().finalizersWith(finalizer()), "metadata", "finalizers")
            .set(target.nodeId(), "metadata", "annotations", PublicationRecord.NODE_ID)
            .set(target.handle(), "metadata", "annotations", PublicationRecord.VOLUME_HANDLE);
    WriteResult<Attachment> result = ports.writer().patch(Kind.ATTACHMENT, attachment.key(), patch);
    if (!(result instanceof WriteResult.Written<Attachment>(Attachment recordedAttachment))) {
      throw PublishException.unwritten("could not add VolumeAttachment finalizer", result);
    }
    return recordedAttachment;
  }

  // A merge patch keeps the members that it does not name: an earlier call's metadata must go.
  private Set<String> readMetadataKeys(Attachment attachment)
      throws PublishException, InterruptedException {
    if (!attachment.attached()) {
      return Set.of();
    }
    return switch (ports.reader().readWhole(Kind.ATTACHMENT, attachment.key())) {
      case ReadResult.Found<Map<String, Object>>(Map<String, Object> object) ->
          new RawObject(object).at(STATUS, METADATA).texts().keySet();
      case ReadResult.Absent<Map<String, Object>> _ ->
          throw PublishException.conflicted("the VolumeAttachment is gone");
      case ReadResult.Failed<Map<String, Object>>(String message) ->
          throw PublishException.unanswered(message);
    };
  }

  private WriteResult<Attachment> writeAttached(
      Attachment attachment, Map<String, String> context, Set<String> earlierKeys)
      throws InterruptedException {
    Document patch =
        Document.patchOf(attachment.meta())
            .set(true, STATUS, "attached")
            .set(null, STATUS, "attachError");
    earlierKeys.forEach(key -> patch.set(null, STATUS, METADATA, key));
    context.forEach((key, value) -> patch.set(value, STATUS, METADATA, key));
    return ports.writer().patchStatus(Kind.ATTACHMENT, attachment.key(), patch);
  }

  public Outcome releaseVolume(Volume volume) throws InterruptedException {
    return finalizers().release(Kind.VOLUME, volume, finalizer());
  }
}
