package dev.mooring.csi.execute;

import dev.mooring.cluster.Document;
import dev.mooring.csi.decide.CheckResult;
import dev.mooring.csi.decide.ContentPlan;
import dev.mooring.csi.decide.ContentVerdict;
import dev.mooring.csi.decide.StatusCodeMeanings;
import dev.mooring.live.LiveFacts;
import dev.mooring.model.Kind;
import dev.mooring.model.Meta;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Resource;
import dev.mooring.model.SnapshotContent.Ref;
import dev.mooring.model.SnapshotParameters.Purpose;
import dev.mooring.model.VolumeSnapshot.Problem;
import dev.mooring.spi.csi.CsiConnection.Done;
import dev.mooring.spi.csi.DriverIdentity.DriverCapability;
import dev.mooring.spi.csi.DriverReply;
import dev.mooring.spi.csi.DriverSecrets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Differences between snapshots and group snapshots. {@link SnapshotReconciler} holds what they
 * share. Thread-safe.
 *
 * @param <C> type of the contents
 * @param <H> handle at the driver
 * @param <A> the driver's answer
 */
interface ContentKind<C extends Resource, H, A> {
  record ContentNames<C extends Resource>(
      Kind<C> kind,
      String noun,
      String plural,
      String owner,
      String event,
      String className,
      String parameter) {}

  record MetadataKeys(
      String protection,
      String beingCreated,
      String beingDeleted,
      String secretName,
      String secretNamespace) {}

  record DriverCalls(
      DriverCapability makes,
      DriverCapability finds,
      StatusCodeMeanings.Call call,
      Purpose toFind) {}

  record ContentFacts(
      String driver,
      String className,
      Ref owner,
      String handle,
      boolean ready,
      Problem problem,
      boolean classless) {}

  // Values read from a class.
  record ClassFacts(String driver, Map<String, String> parameters) {}

  // Common part of a creation request.
  record Request(String name, Map<String, String> parameters, DriverSecrets secrets) {}

  record ParsedAnswer(String id, boolean ready, String flaw) {}

  ContentNames<C> names();

  MetadataKeys keys();

  DriverCalls calls();

  ContentFacts facts(C content);

  // Returns the content without the parts that this controller writes.
  C withoutOwnWrites(C content);

  // Returns the metadata without the parts that this controller writes, except the annotation.
  static Meta withoutOwnWrites(Meta meta, String annotation) {
    return new Meta(
        meta.key(),
        meta.uid(),
        0,
        meta.created(),
        meta.deleted(),
        Map.of(),
        Map.of(
            annotation,
            Boolean.toString(
                meta.hasAnnotation(annotation))), // only its presence: the value is ours
        meta.finalizers());
  }

  Optional<ClassFacts> classNamed(String name);

  String source(C content);

  ContentPlan<H> plan(C content);

  ContentVerdict<C> mayBeDeleted(C cached, H handle, LiveFacts live);

  List<ObjectKey> waitingFor(C content);

  String id(H handle);

  DriverReply<A> create(C content, Request request);

  // Queries an existing one. Unknown if the reason for its absence is unknown.
  CheckResult<A> find(H handle, DriverSecrets secrets);

  // Returns the answer to assume if the driver cannot be queried; empty for none.
  Optional<A> assumed(H handle);

  DriverReply<Done> delete(H handle, DriverSecrets secrets);

  ParsedAnswer read(A answer);

  // Returns the status patch; empty if the status is up to date.
  Optional<Document> createdStatus(C content, A answer, Instant now);

  Document deletedStatus(C content);
}
