package dev.mooring.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.cluster.ClusterWriter;
import dev.mooring.cluster.Document;
import dev.mooring.cluster.LiveReader;
import dev.mooring.cluster.ReadResult;
import dev.mooring.cluster.WriteResult;
import dev.mooring.cluster.WrittenObject;
import dev.mooring.informer.Informer;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimPhase;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Uid;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Contract of everything that writes to a cluster: implement it in a test and inherit its tests. It
 * holds for {@link InMemoryCluster} and for a real API server, so tests with the former are valid
 * for the latter.
 */
public interface ClusterContract {
  /**
   * Cluster under test.
   *
   * @param reader reads the API server, bypassing caches
   * @param claims cache that receives the writer's own writes
   */
  record Cluster(ClusterWriter writer, LiveReader reader, Informer<Claim> claims) {}

  /** Returns a cluster with the namespace {@code default} and without claims. */
  Cluster cluster() throws Exception;

  private static ObjectKey key(String name) {
    return ObjectKey.of("default", name);
  }

  private static Document body() {
    return Document.empty()
        .set(List.of("ReadWriteOnce"), "spec", "accessModes")
        .set("1Gi", "spec", "resources", "requests", "storage")
        .set("disks", "spec", "storageClassName");
  }

  private static Claim create(Cluster cluster, String name, Document body) throws Exception {
    WriteResult<Claim> created = cluster.writer().create(Kind.CLAIM, key(name), body);
    assertThat(created).isInstanceOf(WriteResult.Written.class);
    return created.toOptional().orElseThrow();
  }

  private static Claim createUnprotected(Cluster cluster, String name) throws Exception {
    Claim created = create(cluster, name, body());
    return removeFinalizers(cluster, created).toOptional().orElseThrow();
  }

  private static WriteResult<Claim> removeFinalizers(Cluster cluster, Claim claim)
      throws Exception {
    return patch(
        cluster, claim, Document.patchOf(claim.meta()).set(null, "metadata", "finalizers"));
  }

  private static Claim read(Cluster cluster, String name) throws Exception {
    ReadResult<Claim> read = cluster.reader().read(Kind.CLAIM, key(name));
    assertThat(read).isInstanceOf(ReadResult.Found.class);
    return ((ReadResult.Found<Claim>) read).object();
  }

  private static WriteResult<Claim> patch(Cluster cluster, Claim claim, Document patch)
      throws Exception {
    return cluster.writer().patch(Kind.CLAIM, claim.key(), patch);
  }

  @Test
  default void create_object_isReadableAndCached() throws Exception {
    Cluster cluster = cluster();
    Claim created = create(cluster, "made", body());
    assertThat(created.meta().uid().isNone()).isFalse();
    assertThat(created.meta().resourceVersion()).isPositive();
    assertThat(created.accessModes().written()).containsExactly("ReadWriteOnce");
    assertThat(cluster.claims().snapshot().get(key("made")).map(Claim::meta))
        .contains(created.meta());
    assertThat(read(cluster, "made").meta().uid()).isEqualTo(created.meta().uid());
  }

  @Test
  default void create_withStatus_dropsStatus() throws Exception {
    Cluster cluster = cluster();
    create(cluster, "pretends", body().set("Bound", "status", "phase"));
    assertThat(read(cluster, "pretends").status().phase()).isNotEqualTo(ClaimPhase.BOUND);
  }

  @Test
  default void create_existingName_isConflict() throws Exception {
    Cluster cluster = cluster();
    Claim first = create(cluster, "taken", body());
    assertThat(cluster.writer().create(Kind.CLAIM, key("taken"), body()))
        .isInstanceOf(WriteResult.Conflict.class);
    assertThat(read(cluster, "taken").meta().uid()).isEqualTo(first.meta().uid());
  }

  @Test
  default void patch_changesOnlyNamedFields() throws Exception {
    Cluster cluster = cluster();
    Claim created =
        create(cluster, "patched", body().set("kept", "metadata", "annotations", "a/kept"));
    Claim patched =
        patch(
                cluster,
                created,
                Document.patchOf(created.meta()).set("v", "metadata", "annotations", "a/new"))
            .toOptional()
            .orElseThrow();
    assertThat(patched.meta().resourceVersion()).isGreaterThan(created.meta().resourceVersion());
    Claim read = read(cluster, "patched");
    assertThat(read.meta().annotations())
        .containsEntry("a/kept", "kept")
        .containsEntry("a/new", "v");
    assertThat(read.accessModes()).isEqualTo(created.accessModes());
    assertThat(cluster.claims().snapshot().get(created.key()).orElseThrow().meta())
        .as("the cache has it before the call returns")
        .isEqualTo(patched.meta());
  }

  @Test
  default void patchAndRead_returnsLiveObject() throws Exception {
    Cluster cluster = cluster();
    Claim created =
        create(
            cluster,
            "described",
            body()
                .set("a", "metadata", "labels", "team")
                .set("kept", "metadata", "annotations", "a/kept"));
    Document patch = Document.patchOf(created.meta()).set("v", "metadata", "annotations", "a/new");
    WrittenObject<Claim> answer = cluster.writer().patchAndRead(Kind.CLAIM, created.key(), patch);
    assertThat(answer.read()).contains(read(cluster, "described"));
    assertThat(answer.read().orElseThrow().meta().labels()).containsEntry("team", "a");
    assertThat(cluster.claims().snapshot().get(created.key()).map(Claim::meta))
        .as("the cache has what it keeps")
        .isEqualTo(answer.result().toOptional().map(Claim::meta));
    assertThat(cluster.writer().patchAndRead(Kind.CLAIM, created.key(), patch))
        .as("of an older version")
        .satisfies(again -> {
          assertThat(again.result()).isInstanceOf(WriteResult.Conflict.class);
          assertThat(again.read()).isEmpty();
        });
  }

  @Test
  default void patch_null_removesField() throws Exception {
    Cluster cluster = cluster();
    Claim created =
        create(cluster, "bare", body().set("soon", "metadata", "annotations", "a/gone"));
    patch(
        cluster,
        created,
        Document.patchOf(created.meta()).set(null, "metadata", "annotations", "a/gone"));
    assertThat(read(cluster, "bare").meta().annotations()).doesNotContainKey("a/gone");
  }

  @Test
  default void patch_withoutChange_keepsVersion() throws Exception {
    Cluster cluster = cluster();
    Claim created = create(cluster, "same", body().set("v", "metadata", "annotations", "a/b"));
    Claim patched =
        patch(
                cluster,
                created,
                Document.patchOf(created.meta()).set("v", "metadata", "annotations", "a/b"))
            .toOptional()
            .orElseThrow();
    assertThat(patched.meta().resourceVersion()).isEqualTo(created.meta().resourceVersion());
  }

  @Test
  default void patch_olderVersion_isConflict() throws Exception {
    Cluster cluster = cluster();
    Claim old = create(cluster, "stale", body());
    patch(
        cluster, old, Document.patchOf(old.meta()).set("1", "metadata", "annotations", "a/first"));
    assertThat(
            patch(
                cluster,
                old,
                Document.patchOf(old.meta()).set("2", "metadata", "annotations", "a/second")))
        .isInstanceOf(WriteResult.Conflict.class);
    assertThat(read(cluster, "stale").meta().annotations())
        .containsKey("a/first")
        .doesNotContainKey("a/second");
  }

  @Test
  default void patch_otherUid_isConflict() throws Exception {
    Cluster cluster = cluster();
    Claim first = createUnprotected(cluster, "successor");
    cluster.writer().delete(Kind.CLAIM, first.key(), first.meta().uid());
    create(cluster, "successor", body());
    assertThat(
            patch(
                cluster,
                first,
                Document.empty()
                    .set(first.meta().uid().toString(), "metadata", "uid")
                    .set("v", "metadata", "annotations", "a/b")))
        .isInstanceOf(WriteResult.Conflict.class);
    assertThat(read(cluster, "successor").meta().annotations()).doesNotContainKey("a/b");
  }

  @Test
  default void patch_absentObject_isGone() throws Exception {
    Cluster cluster = cluster();
    Document patch = Document.empty().set("v", "metadata", "annotations", "a/b");
    assertThat(cluster.writer().patch(Kind.CLAIM, key("none"), patch))
        .isInstanceOf(WriteResult.Gone.class);
    assertThat(cluster.writer().patchStatus(Kind.CLAIM, key("none"), patch))
        .isInstanceOf(WriteResult.Gone.class);
    assertThat(cluster.writer().delete(Kind.CLAIM, key("none"), Uid.of("any")))
        .isInstanceOf(WriteResult.Gone.class);
    assertThat(cluster.reader().read(Kind.CLAIM, key("none")))
        .isInstanceOf(ReadResult.Absent.class);
    assertThat(cluster.reader().readWhole(Kind.CLAIM, key("none")))
        .isInstanceOf(ReadResult.Absent.class);
  }

  @Test
  default void patch_claimConditions_areKept() throws Exception {
    Cluster cluster = cluster();
    Claim created = create(cluster, "conditions", body());
    Map<String, Object> condition =
        Map.of(
            "type", "a/b",
            "status", "True",
            "reason", "NoVolume",
            "lastTransitionTime", "2026-01-01T00:01:00Z");
    cluster
        .writer()
        .patchStatus(
            Kind.CLAIM,
            created.key(),
            Document.patchOf(created.meta()).set(List.of(condition), "status", "conditions"));
    assertThat(read(cluster, "conditions").status().conditions())
        .containsExactly(new Claim.Condition("a/b", "True", "NoVolume", "", 0, 1767225660));
  }

  @Test
  default void patchStatus_changesOnlyStatus() throws Exception {
    Cluster cluster = cluster();
    Claim created = create(cluster, "apart", body());
    Claim patched =
        patch(
                cluster,
                created,
                Document.patchOf(created.meta())
                    .set("Lost", "status", "phase")
                    .set("v", "metadata", "annotations", "a/b"))
            .toOptional()
            .orElseThrow();
    assertThat(read(cluster, "apart").status().phase()).isNotEqualTo(ClaimPhase.LOST);
    WriteResult<Claim> result =
        cluster
            .writer()
            .patchStatus(
                Kind.CLAIM,
                patched.key(),
                Document.patchOf(patched.meta())
                    .set("Lost", "status", "phase")
                    .set("pv", "spec", "volumeName"));
    assertThat(result).isInstanceOf(WriteResult.Written.class);
    Claim read = read(cluster, "apart");
    assertThat(read.status().phase()).isEqualTo(ClaimPhase.LOST);
    assertThat(read.volumeName()).as("no part of the status").isEmpty();
    assertThat(cluster.claims().snapshot().get(patched.key()).map(claim -> claim.status().phase()))
        .contains(ClaimPhase.LOST);
  }

  @Test
  default void patchStatus_olderVersion_isConflict() throws Exception {
    Cluster cluster = cluster();
    Claim old = create(cluster, "old-status", body());
    patch(cluster, old, Document.patchOf(old.meta()).set("v", "metadata", "annotations", "a/b"));
    assertThat(
            cluster
                .writer()
                .patchStatus(
                    Kind.CLAIM,
                    old.key(),
                    Document.patchOf(old.meta()).set("Lost", "status", "phase")))
        .isInstanceOf(WriteResult.Conflict.class);
  }

  @Test
  default void delete_otherUid_isConflict() throws Exception {
    Cluster cluster = cluster();
    Claim created = createUnprotected(cluster, "deleted");
    assertThat(cluster.writer().delete(Kind.CLAIM, created.key(), Uid.of("another")))
        .isInstanceOf(WriteResult.Conflict.class);
    assertThat(read(cluster, "deleted").meta().uid()).isEqualTo(created.meta().uid());
    assertThat(cluster.writer().delete(Kind.CLAIM, created.key(), created.meta().uid()))
        .isInstanceOf(WriteResult.Gone.class);
    assertThat(cluster.reader().read(Kind.CLAIM, created.key()))
        .isInstanceOf(ReadResult.Absent.class);
    assertThat(cluster.claims().snapshot().get(created.key())).isEmpty();
  }

  @Test
  default void delete_olderVersion_isConflict() throws Exception {
    Cluster cluster = cluster();
    Claim created = createUnprotected(cluster, "deleted-version");
    Claim changed =
        cluster
            .writer()
            .patch(
                Kind.CLAIM,
                created.key(),
                Document.patchOf(created.meta()).set("x", "metadata", "annotations", "a/b"))
            .toOptional()
            .orElseThrow();
    assertThat(deleteVersion(cluster, created)).isInstanceOf(WriteResult.Conflict.class);
    assertThat(deleteVersion(cluster, changed)).isInstanceOf(WriteResult.Gone.class);
  }

  private static WriteResult<Claim> deleteVersion(Cluster cluster, Claim claim) throws Exception {
    return cluster
        .writer()
        .delete(Kind.CLAIM, claim.key(), claim.meta().uid(), claim.meta().resourceVersion());
  }

  @Test
  default void delete_withFinalizers_marksTerminating() throws Exception {
    Cluster cluster = cluster();
    Claim created =
        create(cluster, "going", body().set(List.of("example.com/hold"), "metadata", "finalizers"));
    Claim terminating =
        cluster
            .writer()
            .delete(Kind.CLAIM, created.key(), created.meta().uid())
            .toOptional()
            .orElseThrow();
    assertThat(terminating.meta().isBeingDeleted()).isTrue();
    assertThat(read(cluster, "going").meta().isBeingDeleted()).isTrue();
    removeFinalizers(cluster, terminating);
    assertThat(cluster.reader().read(Kind.CLAIM, created.key()))
        .isInstanceOf(ReadResult.Absent.class);
  }

  @Test
  default void read_invalidKey_isRejected() throws Exception {
    Cluster cluster = cluster();
    ObjectKey invalidKey = ObjectKey.of("default", "../escape");
    assertThat(cluster.writer().create(Kind.CLAIM, invalidKey, body()))
        .isInstanceOf(WriteResult.Rejected.class);
    assertThat(cluster.writer().patch(Kind.CLAIM, invalidKey, Document.empty()))
        .isInstanceOf(WriteResult.Rejected.class);
    assertThat(cluster.writer().delete(Kind.CLAIM, invalidKey, Uid.of("any")))
        .isInstanceOf(WriteResult.Rejected.class);
    assertThat(cluster.reader().read(Kind.CLAIM, invalidKey)).isInstanceOf(ReadResult.Failed.class);
    assertThat(cluster.reader().readWhole(Kind.CLAIM, invalidKey))
        .isInstanceOf(ReadResult.Failed.class);
  }

  @Test
  default void list_namespace_returnsOnlyItsObjects() throws Exception {
    Cluster cluster = cluster();
    create(cluster, "listed-b", body());
    create(cluster, "listed-a", body());
    assertThat(cluster.reader().list(Kind.CLAIM, "default"))
        .isInstanceOfSatisfying(
            ReadResult.Found.class,
            found ->
                assertThat((List<?>) found.object())
                    .map(claim -> ((Claim) claim).meta().name())
                    .contains("listed-a", "listed-b"));
    assertThat(cluster.reader().list(Kind.CLAIM, "elsewhere"))
        .isInstanceOfSatisfying(
            ReadResult.Found.class, found -> assertThat((List<?>) found.object()).isEmpty());
  }

  @Test
  default void readWhole_returnsEveryMember() throws Exception {
    Cluster cluster = cluster();
    create(cluster, "whole", body());
    assertThat(cluster.reader().readWhole(Kind.CLAIM, key("whole")))
        .isInstanceOfSatisfying(
            ReadResult.Found.class,
            found -> {
              Map<?, ?> members = (Map<?, ?>) found.object();
              assertThat(members.get("kind")).isEqualTo("PersistentVolumeClaim");
              assertThat(members.get("apiVersion")).isEqualTo("v1");
              assertThat(members.get("spec")).asString().contains("storageClassName", "disks");
            });
  }
}
