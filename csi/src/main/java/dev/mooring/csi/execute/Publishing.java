package dev.mooring.csi.execute;

import dev.mooring.cluster.ClusterPorts;
import dev.mooring.cluster.ClusterWriter;
import dev.mooring.cluster.Document;
import dev.mooring.cluster.LiveDecisions;
import dev.mooring.cluster.LiveReader;
import dev.mooring.cluster.WriteResult;
import dev.mooring.csi.decide.Checked;
import dev.mooring.csi.decide.DriverOptions;
import dev.mooring.csi.decide.Publication;
import dev.mooring.csi.decide.Publications;
import dev.mooring.csi.decide.PublishDecision;
import dev.mooring.csi.decide.WithdrawCheck;
import dev.mooring.csi.decide.WithdrawCheck.WithdrawVerdict;
import dev.mooring.csi.execute.AttachmentReports.Said;
import dev.mooring.csi.execute.PublishingStop.Problem;
import dev.mooring.csi.execute.SourceReader.Source;
import dev.mooring.informer.Informer;
import dev.mooring.live.LiveFacts;
import dev.mooring.model.Attachment;
import dev.mooring.model.Kind;
import dev.mooring.model.Volume;
import dev.mooring.reconcile.Outcome;
import dev.mooring.spi.csi.Access;
import dev.mooring.spi.csi.CsiConnection.Done;
import dev.mooring.spi.csi.CsiConnection.Publish;
import dev.mooring.spi.csi.Identity;
import dev.mooring.spi.csi.Identity.Ability;
import dev.mooring.spi.csi.Reply;
import dev.mooring.spi.csi.Secrets;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Publishes volumes on nodes as VolumeAttachments ask for it, and takes them back
 * (spec/csi-bridge.md 7). Thread-safe.
 */
public final class Publishing {
  private static final String STATUS = "status";

  private final DriverSession session;
  private final DriverOptions options;
  private final ClusterWriter writer;
  private final DriverFinalizers finalizers;
  private final SourceReader sources;
  private final SecretReader secrets;
  private final DriverNodes driverNodes;
  private final LiveReader reader;
  private final Informer<Attachment> attachments;
  private final Set<Publication> inFlight = ConcurrentHashMap.newKeySet();
  private final AttachmentReports reports;
  private final String finalizer;

  /**
   * Publishes nothing yet.
   *
   * @param attachments indexed by {@link Publication#INDEX}
   */
  public Publishing(
      DriverSession session,
      DriverOptions options,
      ClusterPorts ports,
      DriverNodes driverNodes,
      Informer<Attachment> attachments) {
    this.session = session;
    this.options = options;
    this.writer = ports.writer();
    this.finalizers = new DriverFinalizers(writer);
    this.sources = new SourceReader(ports.reader(), session.driver());
    this.secrets = new SecretReader(ports.reader());
    this.driverNodes = driverNodes;
    this.reader = ports.reader();
    this.attachments = attachments;
    this.reports = new AttachmentReports(ports.writer(), ports.time());
    this.finalizer = "external-attacher/" + sanitized(session.driver());
  }

  /** A driver's name as part of another: without what may not stand there. */
  static String sanitized(String driver) {
    String plain = driver.replaceAll("[^a-zA-Z0-9-]", "-");
    return plain.endsWith("-") ? plain + "X" : plain;
  }

  /** The finalizer that holds volumes and attachments that may be published. */
  public String finalizer() {
    return finalizer;
  }

  /**
   * Brings an attachment to what it asks for.
   *
   * @param forced whether the driver is asked although the attachment says that all is done
   */
  public Outcome sync(Attachment attachment, boolean forced) throws InterruptedException {
    Optional<Identity> identity = session.identity();
    boolean held = attachment.meta().finalizers().contains(finalizer);
    return switch (Publications.next(attachment, identity, held, forced)) {
      case PublishDecision.Rest() -> Outcome.SETTLED;
      case PublishDecision.Attached() ->
          AttachmentReports.outcome(attachment, attached(attachment, Map.of()));
      case PublishDecision.Publish() -> attach(attachment, identity.orElseThrow());
      case PublishDecision.Unpublish() -> detach(attachment, identity.orElseThrow());
    };
  }

  private Outcome attach(Attachment attachment, Identity identity) throws InterruptedException {
    try {
      Source source = source(attachment);
      checkHandle(attachment, source, attachment.attached());
      if (source.volume().isPresent()) {
        hold(source.volume().get());
      }
      boolean readOnly = identity.can(Ability.PUBLISH_READONLY) && source.csi().flag("readOnly");
      Access access = access(source, identity);
      Secrets credentials = credentials(source);
      Publication where = publication(attachment, source, attachment.attached());
      Publication recorded = Publication.recorded(attachment);
      if (recorded.differs(where)) {
        withdraw(attachment, recorded.orElse(where), credentials);
      }
      Publish request =
          new Publish(
              where.handle(),
              where.nodeId(),
              access,
              readOnly,
              credentials,
              source.csi().at("volumeAttributes").texts());
      return alone(where, () -> publish(attachment, where, request));
    } catch (PublishingStop e) {
      return reports.stopped(attachment, Said.ATTACH, e);
    }
  }

  private Outcome publish(Attachment attachment, Publication where, Publish request)
      throws PublishingStop, InterruptedException {
    Attachment held = hold(attachment, where);
    return switch (session.call("ControllerPublishVolume", c -> c.publish(request))) {
      case Reply.Ok<Map<String, String>>(Map<String, String> context) ->
          AttachmentReports.outcome(attachment, attached(held, context));
      case Reply.Refused<Map<String, String>> refused ->
          throw new PublishingStop(Problem.of(refused));
    };
  }

  private interface Step {
    Outcome run() throws PublishingStop, InterruptedException;
  }

  /** Two attachments of one volume on one node do not publish and unpublish at once. */
  private Outcome alone(Publication where, Step step) throws PublishingStop, InterruptedException {
    if (!inFlight.add(where)) {
      throw PublishingStop.conflicted(
          "another VolumeAttachment of this volume and node is being served");
    }
    try {
      return step.run();
    } finally {
      inFlight.remove(where);
    }
  }

  /**
   * An earlier call may have published the volume under the recorded values: only when the driver
   * has undone that, it may be published elsewhere. The attachment was never attached, so that no
   * pod uses the volume by it.
   */
  private void withdraw(Attachment attachment, Publication recorded, Secrets credentials)
      throws PublishingStop, InterruptedException {
    switch (LiveDecisions.decide(
        reader, LiveFacts.NONE, live -> WithdrawCheck.decide(attachment, live))) {
      case WithdrawVerdict.May() -> {}
      case WithdrawVerdict.Changed() ->
          throw PublishingStop.conflicted("the VolumeAttachment has changed");
      case WithdrawVerdict.CannotTell(String why) -> throw PublishingStop.unanswered(why);
      case WithdrawVerdict.Ask ask -> throw new IllegalStateException("not asked: " + ask);
    }
    if (!isNeeded(attachment, recorded)
        && session.call(
                "ControllerUnpublishVolume",
                c -> c.unpublish(recorded.handle(), recorded.nodeId(), credentials))
            instanceof Reply.Refused<Done> refused) {
      throw new PublishingStop(
          new Problem(
              refused.text() + changed(attachment, recorded),
              OptionalInt.of(refused.code().number())));
    }
  }

  private Outcome detach(Attachment attachment, Identity identity) throws InterruptedException {
    try {
      Source source = source(attachment);
      access(source, identity);
      Secrets credentials = credentials(source);
      if (Publication.recorded(attachment).handle().isEmpty()) {
        checkHandle(attachment, source, true);
      }
      Publication where = publication(attachment, source, true);
      return alone(where, () -> unpublish(attachment, where, credentials));
    } catch (PublishingStop e) {
      return reports.stopped(attachment, Said.DETACH, e);
    }
  }

  private Outcome unpublish(Attachment attachment, Publication where, Secrets credentials)
      throws PublishingStop, InterruptedException {
    if (isNeeded(attachment, where)) {
      return release(attachment);
    }
    return switch (session.call(
        "ControllerUnpublishVolume",
        c -> c.unpublish(where.handle(), where.nodeId(), credentials))) {
      case Reply.Ok<Done> _ -> release(attachment);
      case Reply.Refused<Done> refused ->
          throw new PublishingStop(
              new Problem(refused.text() + changed(attachment, where), OptionalInt.empty()));
    };
  }

  /** Returns whether another attachment, not being deleted, has the volume on the node. */
  private boolean isNeeded(Attachment attachment, Publication where) {
    for (Attachment other : attachments.by(PublicationIndex.BY_RECORD, where)) {
      if (other.attacher().equals(session.driver())
          && !other.key().equals(attachment.key())
          && !other.meta().isBeingDeleted()) {
        return true;
      }
    }
    return false;
  }

  /** The remedy if the driver refuses an id that its node no longer has. */
  private String changed(Attachment attachment, Publication used) {
    Optional<String> now = driverNodes.nodeId(attachment.nodeName(), session.driver());
    return now.isEmpty() || now.get().equals(used.nodeId())
        ? ""
        : ": node "
            + attachment.nodeName()
            + " was addressed by node id \""
            + used.nodeId()
            + "\", and its CSINode has \""
            + now.get()
            + "\" now; if the storage has detached the volume from the former, remove the annotation "
            + Publication.NODE_ID
            + " from the VolumeAttachment";
  }

  /**
   * What the driver is called for.
   *
   * @param recordWins whether the volume may be published as recorded
   */
  private Publication publication(Attachment attachment, Source source, boolean recordWins)
      throws PublishingStop {
    Publication recorded = Publication.recorded(attachment);
    return recordWins
        ? recorded.orElse(
            new Publication(
                source.handle(), recorded.nodeId().isEmpty() ? presentNodeId(attachment) : ""))
        : new Publication(source.handle(), presentNodeId(attachment));
  }

  /** The PersistentVolume of the name may be another one than the attachment is for. */
  private static void checkHandle(Attachment attachment, Source source, boolean recordWins)
      throws PublishingStop {
    boolean csi =
        source.volume().filter(volume -> volume.source().type().equals("csi")).isPresent();
    String recorded = Publication.recorded(attachment).handle();
    boolean differs = recordWins && !recorded.isEmpty() && !recorded.equals(source.handle());
    if (differs || csi && Publication.isNamedForAnother(attachment, source.handle())) {
      throw PublishingStop.foreign(
          "PersistentVolume "
              + attachment.volumeName()
              + " has volume handle \""
              + source.handle()
              + "\", and the VolumeAttachment is for another handle: delete the VolumeAttachment;"
              + " if it lacks annotation "
              + Publication.VOLUME_HANDLE
              + ", set the annotation to the former handle");
    }
  }

  /** The finalizer first: the other way round the volume would be taken back twice. */
  private Outcome release(Attachment attachment) throws InterruptedException {
    WriteResult<Attachment> released = finalizers.remove(Kind.ATTACHMENT, attachment, finalizer);
    if (!(released instanceof WriteResult.Written<Attachment>(Attachment now))) {
      return AttachmentReports.outcome(attachment, released);
    }
    if (now.meta().finalizers().isEmpty()) {
      return Outcome.SETTLED; // it went with its last finalizer
    }
    return AttachmentReports.outcome(
        attachment,
        writer.patchStatus(
            Kind.ATTACHMENT,
            attachment.key(),
            Document.patchOf(now.meta())
                .set(false, STATUS, "attached")
                .set(null, STATUS, "attachmentMetadata")
                .set(null, STATUS, "detachError")));
  }

  private Source source(Attachment attachment) throws PublishingStop, InterruptedException {
    return valid(
        attachment.volumeName().isEmpty()
            ? sources.readInline(attachment.key())
            : sources.read(attachment.volumeName()));
  }

  private Access access(Source source, Identity identity) throws PublishingStop {
    return valid(source.access(identity, options));
  }

  private Secrets credentials(Source source) throws PublishingStop, InterruptedException {
    return valid(secrets.read(source.csi().secret("controllerPublishSecretRef")));
  }

  private static <T> T valid(Checked<T> checked) throws PublishingStop {
    return switch (checked) {
      case Checked.Valid<T>(T value) -> value;
      case Checked.Invalid<T>(String why) -> throw new PublishingStop(Problem.of(why));
      case Checked.Unknown<T>(String why) -> throw PublishingStop.unanswered(why);
    };
  }

  /** The node's id at attach time, or else its current one; "" if neither is known. */
  public String nodeId(Attachment attachment) {
    Optional<String> now = driverNodes.nodeId(attachment.nodeName(), session.driver());
    return Publication.recorded(attachment).orElse(new Publication("", now.orElse(""))).nodeId();
  }

  private String presentNodeId(Attachment attachment) throws PublishingStop {
    return driverNodes
        .nodeId(attachment.nodeName(), session.driver())
        .orElseThrow(() ->
            new PublishingStop(
                Problem.of(
                    driverNodes.knows(attachment.nodeName())
                        ? "CSINode "
                            + attachment.nodeName()
                            + " does not contain driver "
                            + session.driver()
                        : "csinode.storage.k8s.io \"" + attachment.nodeName() + "\" not found")));
  }

  /** The volume may not go while it may be published. */
  private void hold(Volume volume) throws PublishingStop, InterruptedException {
    if (volume.meta().isBeingDeleted()) {
      throw PublishingStop.going(volume);
    }
    if (volume.finalizers().contains(finalizer)) {
      return;
    }
    WriteResult<Volume> result = finalizers.add(Kind.VOLUME, volume, finalizer);
    if (result.written().isEmpty()) {
      throw PublishingStop.unwritten("could not add PersistentVolume finalizer", result);
    }
  }

  /**
   * Records what the driver is about to be asked for, and keeps the attachment until it is undone.
   */
  private Attachment hold(Attachment attachment, Publication where)
      throws PublishingStop, InterruptedException {
    boolean held = attachment.meta().finalizers().contains(finalizer);
    if (held && Publication.recorded(attachment).equals(where)) {
      return attachment;
    }
    Document patch =
        Document.patchOf(attachment.meta())
            .set(attachment.meta().finalizersWith(finalizer), "metadata", "finalizers")
            .set(where.nodeId(), "metadata", "annotations", Publication.NODE_ID)
            .set(where.handle(), "metadata", "annotations", Publication.VOLUME_HANDLE);
    WriteResult<Attachment> result = writer.patch(Kind.ATTACHMENT, attachment.key(), patch);
    if (!(result instanceof WriteResult.Written<Attachment>(Attachment now))) {
      throw PublishingStop.unwritten("could not add VolumeAttachment finalizer", result);
    }
    return now;
  }

  private WriteResult<Attachment> attached(Attachment attachment, Map<String, String> context)
      throws InterruptedException {
    Document patch =
        Document.patchOf(attachment.meta())
            .set(true, STATUS, "attached")
            .set(null, STATUS, "attachError");
    if (!context.isEmpty()) {
      patch.set(context, STATUS, "attachmentMetadata");
    }
    return writer.patchStatus(Kind.ATTACHMENT, attachment.key(), patch);
  }

  public Outcome letGo(Volume volume) throws InterruptedException {
    return finalizers.letGo(Kind.VOLUME, volume, finalizer);
  }
}
