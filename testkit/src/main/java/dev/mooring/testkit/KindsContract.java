package dev.mooring.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.mooring.cluster.Document;
import dev.mooring.cluster.ReadResult;
import dev.mooring.cluster.WriteResult;
import dev.mooring.informer.Informer;
import dev.mooring.informer.SharedInformers;
import dev.mooring.model.ClaimLabels;
import dev.mooring.model.GroupSnapshot;
import dev.mooring.model.GroupSnapshotContent;
import dev.mooring.model.Kind;
import dev.mooring.model.LabelSelector;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.PartialObject;
import dev.mooring.model.Quantity;
import dev.mooring.model.Resource;
import dev.mooring.model.SnapshotContent;
import dev.mooring.model.Uid;
import dev.mooring.model.VolumeMode;
import dev.mooring.model.VolumeSnapshot;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Extends {@link ClusterContract} to kinds that a cluster need not have, such as snapshots and
 * group snapshots. Reading returns what was written, so a fake reads the same fields as a real
 * client.
 */
public interface KindsContract extends ClusterContract {
  /** Returns the caches of the cluster that {@link #cluster} returned last. */
  SharedInformers informers();

  /**
   * Example object.
   *
   * @param object has every field that a controller writes; its status is written separately
   */
  record Sample<T extends Resource>(Kind<T> kind, T object) {
    private ObjectKey keyNamed(String name) {
      return ObjectKey.of(object.key().namespace(), name);
    }

    private Document body() {
      Document body = Document.empty();
      TreeWriter.of(object)
          .members()
          .forEach((name, value) -> {
            if (!name.equals("metadata")) {
              body.set(value, name);
            }
          });
      return body;
    }

    private boolean hasStatus() {
      return TreeWriter.of(object).contains("status");
    }

    private Document status(T stored) {
      return Document.patchOf(stored.meta()).set(TreeWriter.of(object).get("status"), "status");
    }

    private JsonTree content(T stored) {
      return TreeWriter.of(stored).with("metadata", null);
    }
  }

  private static SnapshotContent.Ref reference(String name) {
    return new SnapshotContent.Ref(ObjectKey.of("default", name), Uid.of("u-1"));
  }

  private static Sample<VolumeSnapshot> snapshot() {
    return new Sample<>(
        Kind.SNAPSHOT,
        TestObjects.volumeSnapshot("default", "any")
            .sourceClaim("data")
            .className("fast")
            .status(
                new VolumeSnapshot.Status(
                    "content",
                    true,
                    1767225600,
                    Optional.of(Quantity.of("5Gi")),
                    new VolumeSnapshot.Problem(1767225601, "busy"),
                    "group"))
            .build());
  }

  private static Sample<SnapshotContent> content() {
    return new Sample<>(
        Kind.SNAPSHOT_CONTENT,
        TestObjects.snapshotContent("any")
            .snapshot(reference("s"))
            .driver("d")
            .className("fast")
            .source(new SnapshotContent.Source("vol-1", ""))
            .mode(Optional.of(VolumeMode.BLOCK))
            .status(
                new SnapshotContent.Status(
                    "snap-1",
                    1767225600000000007L,
                    1L << 33,
                    true,
                    new VolumeSnapshot.Problem(1767225601, "busy"),
                    "group-1"))
            .build());
  }

  private static Sample<GroupSnapshot> group() {
    return new Sample<>(
        Kind.GROUP_SNAPSHOT,
        TestObjects.groupSnapshot("default", "any")
            .selector(
                Optional.of(
                    new LabelSelector(
                        Map.of("app", "db"),
                        List.of(
                            new LabelSelector.Requirement("tier", "In", List.of("a", "b")),
                            new LabelSelector.Requirement("old", "DoesNotExist", List.of())))))
            .className("together")
            .status(
                new GroupSnapshot.Status(
                    "content", true, 1767225600, new VolumeSnapshot.Problem(1767225601, "busy")))
            .build());
  }

  private static Sample<GroupSnapshotContent> groupContent() {
    return new Sample<>(
        Kind.GROUP_SNAPSHOT_CONTENT,
        TestObjects.groupSnapshotContent("any")
            .group(reference("g"))
            .driver("d")
            .className("together")
            .source(new GroupSnapshotContent.Source(List.of(), "group-1", List.of("snap-1")))
            .status(
                new GroupSnapshotContent.Status(
                    "group-1",
                    1767225600,
                    true,
                    new VolumeSnapshot.Problem(1767225601, "busy"),
                    List.of(
                        new GroupSnapshotContent.Member(
                            "vol-1", "snap-1", 1767225600000000007L, true, 1L << 33))))
            .build());
  }

  private static Stream<Sample<?>> samples() {
    return Stream.of(
        snapshot(),
        content(),
        new Sample<>(
            Kind.SNAPSHOT_CLASS,
            TestObjects.snapshotClass("any").parameters(Map.of("a", "b")).build()),
        group(),
        groupContent(),
        new Sample<>(
            Kind.GROUP_SNAPSHOT_CLASS,
            TestObjects.groupSnapshotClass("any").parameters(Map.of("a", "b")).build()),
        new Sample<>(
            Kind.STORAGE_CAPACITY,
            TestObjects.storageCapacity("default", "any")
                .storageClass("fast")
                .nodeTopology(new LabelSelector(Map.of("zone", "a"), List.of()))
                .capacity(Quantity.of("5Gi"))
                .maximumVolumeSize(Quantity.of("1Gi"))
                .build()),
        new Sample<>(
            Kind.LEASE,
            TestObjects.lease("default", "any")
                .holder("another")
                .acquiredMicros(1767225600000001L)
                .renewedMicros(1767225610000002L)
                .transitions(3)
                .build()));
  }

  @FunctionalInterface
  interface SampleCheck {
    <T extends Resource> void verify(Cluster cluster, Sample<T> sample) throws Exception;
  }

  private Stream<DynamicTest> testEach(SampleCheck check) throws Exception {
    Cluster cluster = cluster();
    return samples()
        .map(sample -> dynamicTest(sample.kind().toString(), () -> check.verify(cluster, sample)));
  }

  private static <T extends Resource> T create(
      Cluster cluster, Sample<T> sample, String name, Document body) throws Exception {
    return cluster
        .writer()
        .create(sample.kind(), sample.keyNamed(name), body)
        .toOptional()
        .orElseThrow();
  }

  private static <T extends Resource> T read(Cluster cluster, Kind<T> kind, ObjectKey key)
      throws Exception {
    return cluster.reader().read(kind, key).toOptional().orElseThrow();
  }

  @TestFactory
  default Stream<DynamicTest> read_writtenObject_isEqual() throws Exception {
    return testEach(this::readsWrittenObject);
  }

  private <T extends Resource> void readsWrittenObject(Cluster cluster, Sample<T> sample)
      throws Exception {
    Informer<T> cache = informers().of(sample.kind());
    T created = create(cluster, sample, "kept", sample.body());
    assertThat(cache.get(created.key()).map(Resource::meta)).contains(created.meta());
    if (sample.hasStatus()) {
      assertThat(sample.content(read(cluster, sample.kind(), created.key())))
          .as("no status is created with it")
          .isNotEqualTo(sample.content(sample.object()));
      created =
          cluster
              .writer()
              .patchStatus(sample.kind(), created.key(), sample.status(created))
              .toOptional()
              .orElseThrow();
    }
    assertThat(sample.content(created)).isEqualTo(sample.content(sample.object()));
    T read = read(cluster, sample.kind(), created.key());
    assertThat(sample.content(read)).isEqualTo(sample.content(sample.object()));
    assertThat(read.meta().resourceVersion()).isEqualTo(created.meta().resourceVersion());
  }

  @TestFactory
  default Stream<DynamicTest> patch_olderVersion_isConflictForEveryKind() throws Exception {
    return testEach(KindsContract::rejectsPatchOfOlderVersion);
  }

  private static <T extends Resource> void rejectsPatchOfOlderVersion(
      Cluster cluster, Sample<T> sample) throws Exception {
    T created = create(cluster, sample, "written", sample.body());
    Document patch = Document.patchOf(created.meta()).set("v", "metadata", "annotations", "a/b");
    if (sample.hasStatus()) {
      patch.set(TreeWriter.of(sample.object()).get("status"), "status");
    }
    T patched =
        cluster.writer().patch(sample.kind(), created.key(), patch).toOptional().orElseThrow();
    assertThat(patched.meta().resourceVersion()).isGreaterThan(created.meta().resourceVersion());
    T read = read(cluster, sample.kind(), created.key());
    assertThat(read.meta().annotations()).containsEntry("a/b", "v");
    assertThat(sample.content(read))
        .as("a patch of the main resource leaves the status unchanged")
        .isEqualTo(sample.content(created));
    assertThat(cluster.writer().patch(sample.kind(), created.key(), patch))
        .as("of an older version")
        .isInstanceOf(WriteResult.Conflict.class);
  }

  @TestFactory
  default Stream<DynamicTest> delete_withoutFinalizers_removesEveryKind() throws Exception {
    return testEach(KindsContract::removesWithoutFinalizers);
  }

  private static <T extends Resource> void removesWithoutFinalizers(
      Cluster cluster, Sample<T> sample) throws Exception {
    T created =
        create(
            cluster,
            sample,
            "going",
            sample.body().set(List.of("example.com/hold"), "metadata", "finalizers"));
    assertThat(cluster.writer().delete(sample.kind(), created.key(), Uid.of("another")))
        .isInstanceOf(WriteResult.Conflict.class);
    T terminating =
        cluster
            .writer()
            .delete(sample.kind(), created.key(), created.meta().uid())
            .toOptional()
            .orElseThrow();
    assertThat(terminating.meta().isBeingDeleted()).isTrue();
    assertThat(read(cluster, sample.kind(), created.key()).meta().isBeingDeleted()).isTrue();
    cluster
        .writer()
        .patch(
            sample.kind(),
            created.key(),
            Document.patchOf(terminating.meta()).set(null, "metadata", "finalizers"));
    assertThat(cluster.reader().read(sample.kind(), created.key()))
        .isInstanceOf(ReadResult.Absent.class);
  }

  @Test
  default void read_claimAsSmallerKinds_isSameObject() throws Exception {
    Cluster cluster = cluster();
    ObjectKey key = ObjectKey.of("default", "labelled");
    Document body =
        Document.empty()
            .set("db", "metadata", "labels", "app")
            .set(List.of("ReadWriteOnce"), "spec", "accessModes")
            .set("1Gi", "spec", "resources", "requests", "storage");
    Uid uid =
        cluster.writer().create(Kind.CLAIM, key, body).toOptional().orElseThrow().meta().uid();
    assertThat(cluster.reader().list(Kind.CLAIM_LABELS, "default").toOptional().orElseThrow())
        .map(ClaimLabels::meta)
        .anySatisfy(meta -> {
          assertThat(meta.uid()).isEqualTo(uid);
          assertThat(meta.labels()).containsEntry("app", "db");
        });
    Kind<PartialObject> metadataKind =
        new Kind<>(
            "", "v1", "persistentvolumeclaims", "PersistentVolumeClaim", true, PartialObject.class);
    assertThat(read(cluster, metadataKind, key).meta().uid()).isEqualTo(uid);
  }
}
