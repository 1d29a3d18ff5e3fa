package dev.mooring.csi.execute;

import dev.mooring.cluster.ClusterPorts;
import dev.mooring.cluster.ClusterWriter;
import dev.mooring.cluster.Document;
import dev.mooring.cluster.WriteResult;
import dev.mooring.csi.decide.Checked;
import dev.mooring.csi.decide.DriverOptions;
import dev.mooring.csi.decide.Publications;
import dev.mooring.csi.decide.PublishDecision;
import dev.mooring.csi.execute.SourceReader.Source;
import dev.mooring.model.Attachment;
import dev.mooring.model.Kind;
import dev.mooring.model.Volume;
import dev.mooring.reconcile.Outcome;
import dev.mooring.spi.Failure;
import dev.mooring.spi.csi.Access;
import dev.mooring.spi.csi.CsiConnection.Done;
import dev.mooring.spi.csi.CsiConnection.Publish;
import dev.mooring.spi.csi.Identity;
import dev.mooring.spi.csi.Identity.Ability;
import dev.mooring.spi.csi.Reply;
import dev.mooring.spi.csi.Secrets;
import dev.mooring.time.Time;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;

/**
 * Publishes volumes on nodes as VolumeAttachments ask for it, and takes them back
 * (spec/csi-bridge.md 7). Thread-safe.
 */
public final class Publishing {
  private static final String NODE_ID = "csi.alpha.kubernetes.io/node-id";
  private static final String STATUS = "status";

  /** Why a volume is not published, for the attachment's status. */
  private record Problem(String message, OptionalInt code) {
    static Problem of(String message) {
      return new Problem(message, OptionalInt.empty());
    }

    static Problem of(Reply.Refused<?> refused) {
      return new Problem(refused.text(), OptionalInt.of(refused.code().number()));
    }
  }

  /** What stopped it. */
  private static final class Stopped extends Exception {
    private static final long serialVersionUID = 1L;
    private final transient Problem problem;
    private final End end;

    /** What comes of it. */
    private enum End {
      /** It is tried again, at longer and longer intervals, and each failure is said. */
      RETRIED,
      /** It is tried again soon: the API server did not say, or take, what was needed. */
      UNANSWERED,
      /** It is tried again at once, and not said: somebody else was first. */
      CONFLICTED,
      /** It can never be done for this volume. */
      OVER
    }

    Stopped(Problem problem) {
      this(problem, End.RETRIED);
    }

    private Stopped(Problem problem, End end) {
      super(problem.message(), null, false, false);
      this.problem = problem;
      this.end = end;
    }

    static Stopped unanswered(String why) {
      return new Stopped(Problem.of(why), End.UNANSWERED);
    }

    /** A deletion is never taken back. */
    static Stopped going(Volume volume) {
      return new Stopped(
          Problem.of("PersistentVolume \"" + volume.meta().name() + "\" is marked for deletion"),
          End.OVER);
    }

    static Stopped unwritten(String what, WriteResult<?> result) {
      Problem problem = Problem.of(what + ": " + result);
      return switch (result) {
        case WriteResult.Unreachable<?> _ -> new Stopped(problem, End.UNANSWERED);
        case WriteResult.Conflict<?> _ -> new Stopped(problem, End.CONFLICTED);
        case WriteResult.Written<?> _, WriteResult.Gone<?> _, WriteResult.Rejected<?> _ ->
            new Stopped(problem);
      };
    }
  }

  /** Where an attachment says what went wrong. */
  private enum Said {
    ATTACH("attachError", Attachment::attachError),
    DETACH("detachError", Attachment::detachError);

    private final String member;
    private final Function<Attachment, String> error;

    Said(String member, Function<Attachment, String> error) {
      this.member = member;
      this.error = error;
    }
  }

  private final DriverSession session;
  private final DriverOptions options;
  private final ClusterWriter writer;
  private final DriverFinalizers finalizers;
  private final SourceReader sources;
  private final SecretReader secrets;
  private final DriverNodes driverNodes;
  private final Time time;
  private final String finalizer;

  /** Publishes nothing yet. */
  public Publishing(
      DriverSession session, DriverOptions options, ClusterPorts ports, DriverNodes driverNodes) {
    this.session = session;
    this.options = options;
    this.writer = ports.writer();
    this.finalizers = new DriverFinalizers(writer);
    this.sources = new SourceReader(ports.reader(), session.driver());
    this.secrets = new SecretReader(ports.reader());
    this.driverNodes = driverNodes;
    this.time = ports.time();
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
      case PublishDecision.Attached() -> outcome(attachment, attached(attachment, Map.of()));
      case PublishDecision.Publish() -> attach(attachment, identity.orElseThrow());
      case PublishDecision.Unpublish() -> detach(attachment, identity.orElseThrow());
    };
  }

  private Outcome attach(Attachment attachment, Identity identity) throws InterruptedException {
    try {
      Source source = source(attachment);
      if (source.volume().isPresent()) {
        hold(source.volume().get());
      }
      boolean readOnly = identity.can(Ability.PUBLISH_READONLY) && source.csi().flag("readOnly");
      Access access = access(source, identity);
      Secrets credentials = credentials(source);
      String nodeId = presentNodeId(attachment);
      Attachment held = hold(attachment, nodeId);
      Publish request =
          new Publish(
              source.handle(),
              nodeId,
              access,
              readOnly,
              credentials,
              source.csi().at("volumeAttributes").texts());
      return switch (session.call("ControllerPublishVolume", c -> c.publish(request))) {
        case Reply.Ok<Map<String, String>>(Map<String, String> context) ->
            outcome(attachment, attached(held, context));
        case Reply.Refused<Map<String, String>> refused -> throw new Stopped(Problem.of(refused));
      };
    } catch (Stopped e) {
      return stopped(attachment, Said.ATTACH, e);
    }
  }

  private Outcome detach(Attachment attachment, Identity identity) throws InterruptedException {
    try {
      Source source = source(attachment);
      access(source, identity);
      Secrets credentials = credentials(source);
      String nodeId = nodeId(attachment);
      if (nodeId.isEmpty()) {
        presentNodeId(attachment); // says what is missing
      }
      return switch (session.call(
          "ControllerUnpublishVolume", c -> c.unpublish(source.handle(), nodeId, credentials))) {
        case Reply.Ok<Done> _ -> release(attachment);
        case Reply.Refused<Done> refused ->
            throw new Stopped(new Problem(refused.text(), OptionalInt.empty()));
      };
    } catch (Stopped e) {
      return stopped(attachment, Said.DETACH, e);
    }
  }

  /** The finalizer first: the other way round the volume would be taken back twice. */
  private Outcome release(Attachment attachment) throws InterruptedException {
    WriteResult<Attachment> released = finalizers.remove(Kind.ATTACHMENT, attachment, finalizer);
    if (!(released instanceof WriteResult.Written<Attachment>(Attachment now))) {
      return outcome(attachment, released);
    }
    if (now.meta().finalizers().isEmpty()) {
      return Outcome.SETTLED; // it went with its last finalizer
    }
    return outcome(
        attachment,
        writer.patchStatus(
            Kind.ATTACHMENT,
            attachment.key(),
            Document.patchOf(now.meta())
                .set(false, STATUS, "attached")
                .set(null, STATUS, "attachmentMetadata")
                .set(null, STATUS, "detachError")));
  }

  private Source source(Attachment attachment) throws Stopped, InterruptedException {
    return valid(
        attachment.volumeName().isEmpty()
            ? sources.readInline(attachment.key())
            : sources.read(attachment.volumeName()));
  }

  private Access access(Source source, Identity identity) throws Stopped {
    return valid(source.access(identity, options));
  }

  private Secrets credentials(Source source) throws Stopped, InterruptedException {
    return valid(secrets.read(source.csi().secret("controllerPublishSecretRef")));
  }

  private static <T> T valid(Checked<T> checked) throws Stopped {
    return switch (checked) {
      case Checked.Valid<T>(T value) -> value;
      case Checked.Invalid<T>(String why) -> throw new Stopped(Problem.of(why));
      case Checked.Unknown<T>(String why) -> throw Stopped.unanswered(why);
    };
  }

  /** By what id the driver knows the node, or knew it; "" if that is nowhere said. */
  public String nodeId(Attachment attachment) {
    return driverNodes
        .nodeId(attachment.nodeName(), session.driver())
        .orElse(attachment.meta().annotation(NODE_ID));
  }

  private String presentNodeId(Attachment attachment) throws Stopped {
    return driverNodes
        .nodeId(attachment.nodeName(), session.driver())
        .orElseThrow(() ->
            new Stopped(
                Problem.of(
                    driverNodes.knows(attachment.nodeName())
                        ? "CSINode "
                            + attachment.nodeName()
                            + " does not contain driver "
                            + session.driver()
                        : "csinode.storage.k8s.io \"" + attachment.nodeName() + "\" not found")));
  }

  /** The volume may not go while it may be published. */
  private void hold(Volume volume) throws Stopped, InterruptedException {
    if (volume.meta().isBeingDeleted()) {
      throw Stopped.going(volume);
    }
    if (volume.finalizers().contains(finalizer)) {
      return;
    }
    WriteResult<Volume> result = finalizers.add(Kind.VOLUME, volume, finalizer);
    if (result.written().isEmpty()) {
      throw Stopped.unwritten("could not add PersistentVolume finalizer", result);
    }
  }

  /** The attachment may not go either, and says by what id the node was addressed. */
  private Attachment hold(Attachment attachment, String nodeId)
      throws Stopped, InterruptedException {
    boolean held = attachment.meta().finalizers().contains(finalizer);
    if (held && attachment.meta().annotation(NODE_ID).equals(nodeId)) {
      return attachment;
    }
    Document patch =
        Document.patchOf(attachment.meta())
            .set(attachment.meta().finalizersWith(finalizer), "metadata", "finalizers")
            .set(nodeId, "metadata", "annotations", NODE_ID);
    WriteResult<Attachment> result = writer.patch(Kind.ATTACHMENT, attachment.key(), patch);
    if (!(result instanceof WriteResult.Written<Attachment>(Attachment now))) {
      throw Stopped.unwritten("could not add VolumeAttachment finalizer", result);
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

  private Outcome stopped(Attachment attachment, Said where, Stopped by)
      throws InterruptedException {
    String why = by.problem.message();
    String what = "VolumeAttachment " + attachment.key().name() + ": " + why;
    boolean said = where.error.apply(attachment).equals(why);
    return switch (by.end) {
      case RETRIED -> {
        say(attachment, where.member, by.problem);
        yield new Outcome.Retry(new Failure.Unreachable(why));
      }
      case CONFLICTED -> new Outcome.Conflicted(what);
      case UNANSWERED -> {
        if (!said) {
          say(attachment, where.member, by.problem);
        }
        yield new Outcome.Unanswered(what);
      }
      // another volume of that name brings the attachment back
      case OVER ->
          said ? Outcome.SETTLED : outcome(attachment, say(attachment, where.member, by.problem));
    };
  }

  /** The error is said in the status, where whoever asked for the attachment looks for it. */
  private WriteResult<Attachment> say(Attachment attachment, String member, Problem problem)
      throws InterruptedException {
    Document patch =
        Document.empty()
            .set(attachment.meta().uid().toString(), "metadata", "uid")
            .set(problem.message(), STATUS, member, "message")
            .set(time.now().truncatedTo(ChronoUnit.SECONDS).toString(), STATUS, member, "time");
    // an earlier error's code is not this one's
    problem
        .code()
        .ifPresentOrElse(
            code -> patch.set(code, STATUS, member, "errorCode"),
            () -> patch.set(null, STATUS, member, "errorCode"));
    return writer.patchStatus(Kind.ATTACHMENT, attachment.key(), patch);
  }

  /** The volume goes, and nobody has it: nothing holds it any more. */
  public Outcome letGo(Volume volume) throws InterruptedException {
    return finalizers.letGo(Kind.VOLUME, volume, finalizer);
  }

  private static Outcome outcome(Attachment attachment, WriteResult<Attachment> result) {
    return Outcome.after("writing VolumeAttachment " + attachment.key().name(), result);
  }
}
