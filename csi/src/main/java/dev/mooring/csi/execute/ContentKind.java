package dev.mooring.csi.execute;

import dev.mooring.cluster.Document;
import dev.mooring.csi.decide.Checked;
import dev.mooring.csi.decide.Codes;
import dev.mooring.csi.decide.ContentPlan;
import dev.mooring.csi.decide.ContentVerdict;
import dev.mooring.live.LiveFacts;
import dev.mooring.model.Kind;
import dev.mooring.model.Meta;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Resource;
import dev.mooring.model.SnapshotContent.Ref;
import dev.mooring.model.SnapshotParameters.Purpose;
import dev.mooring.model.VolumeSnapshot.Problem;
import dev.mooring.spi.csi.CsiConnection.Done;
import dev.mooring.spi.csi.Identity.Ability;
import dev.mooring.spi.csi.Reply;
import dev.mooring.spi.csi.Secrets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What snapshots and groups of them differ in; what is done for both is {@link Snapshotting}'s.
 * Thread-safe.
 *
 * @param <C> their contents
 * @param <H> how the driver is told which one
 * @param <A> what the driver says of one
 */
interface ContentKind<C extends Resource, H, A> {
  /**
   * How all of it is called.
   *
   * @param kind the contents
   * @param noun what the driver makes
   * @param plural several of it
   * @param owner what a content belongs to
   * @param event what the reasons of events begin with
   * @param className the kind of the classes
   * @param parameter what the names of the parameters begin with that tell whose it is
   */
  record Words<C extends Resource>(
      Kind<C> kind,
      String noun,
      String plural,
      String owner,
      String event,
      String className,
      String parameter) {}

  /**
   * The finalizer and the annotations of a content.
   *
   * @param protection the finalizer
   * @param beingCreated the note that the driver may have begun
   * @param beingDeleted the annotation that allows the driver to delete the data
   * @param secretName names the Secret with credentials
   * @param secretNamespace names its namespace
   */
  record Marks(
      String protection,
      String beingCreated,
      String beingDeleted,
      String secretName,
      String secretNamespace) {}

  /**
   * What the driver can do for them, and how its answers are read.
   *
   * @param makes what it takes to make one
   * @param finds what it takes to find one that is there
   * @param call how a refusal to make one is read
   * @param toFind for what the credentials are with which one is found
   */
  record Calls(Ability makes, Ability finds, Codes.Call call, Purpose toFind) {}

  /**
   * What a content says.
   *
   * @param driver whose driver is to make it
   * @param className its class, "" for none
   * @param owner whose it is
   * @param handle the driver's id, "" for none yet
   * @param ready whether volumes can be filled from it
   * @param problem what went wrong last
   * @param classless whether it has no class because credentials stand on it
   */
  record Facts(
      String driver,
      String className,
      Ref owner,
      String handle,
      boolean ready,
      Problem problem,
      boolean classless) {}

  /**
   * A class.
   *
   * @param driver whose
   * @param parameters what the driver is told
   */
  record ClassFacts(String driver, Map<String, String> parameters) {}

  /**
   * What is common to all that a driver is asked to make.
   *
   * @param name how it is to be called
   * @param parameters what the driver is told
   * @param secrets credentials
   */
  record Request(String name, Map<String, String> parameters, Secrets secrets) {}

  /**
   * What matters of what a driver says.
   *
   * @param id the driver's
   * @param ready whether volumes can be filled from it
   * @param flaw why it cannot be written down, "" if it can
   */
  record Answer(String id, boolean ready, String flaw) {}

  Words<C> words();

  Marks marks();

  Calls calls();

  Facts facts(C content);

  /** The same without what we write down on it ourselves. */
  C silent(C content);

  /** The metadata without what we write there, and with that annotation alone. */
  static Meta silent(Meta meta, String annotation) {
    return new Meta(
        meta.key(),
        meta.uid(),
        0,
        meta.created(),
        meta.deleted(),
        Map.of(),
        Map.of(annotation, Boolean.toString(meta.has(annotation))), // its value is our own word
        meta.finalizers());
  }

  /** The class of that name, if there is one. */
  Optional<ClassFacts> classNamed(String name);

  /** What it is made of, for people. */
  String source(C content);

  /** What is to be done next. */
  ContentPlan<H> plan(C content);

  /** Whether what the driver has of it may be destroyed. */
  ContentVerdict<C> mayBeDestroyed(C cached, H handle, LiveFacts live);

  /** Contents that wait until this content no longer uses the same data. */
  List<ObjectKey> waitingFor(C content);

  /** The driver's id. */
  String id(H handle);

  /** Has the driver make it. */
  Reply<A> make(C content, Request request);

  /** Asks the driver for one that is there; why there is none that is known. */
  Checked<A> find(H handle, Secrets secrets);

  /** What is taken for granted where the driver cannot find any; empty for nothing. */
  Optional<A> believed(H handle);

  /** Has the driver destroy it. */
  Reply<Done> destroy(H handle, Secrets secrets);

  /** What matters of what the driver says. */
  Answer read(A answer);

  /** The status that follows; empty if it is that already. */
  Optional<Document> made(C content, A answer, Instant now);

  /** The status when nothing of it is left at the driver. */
  Document destroyed(C content);
}
