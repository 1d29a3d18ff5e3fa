package dev.mooring.manager.undo;

import dev.mooring.cluster.Document;
import dev.mooring.cluster.ReadResult;
import dev.mooring.cluster.WriteResult;
import dev.mooring.kube.KubeCluster;
import dev.mooring.kube.KubeConnection;
import dev.mooring.kube.ServerDocuments;
import dev.mooring.kube.WholeObjectWriter;
import dev.mooring.model.Claim;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.SnapshotContent;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumeSnapshot;
import dev.mooring.time.Time;
import java.util.List;
import java.util.Map;

public final class KubeUndoCluster implements UndoCluster, SnapshotUndoCluster {
  private final KubeCluster cluster;
  private final WholeObjectWriter writer;
  private final ServerDocuments documents;

  public KubeUndoCluster(KubeConnection connection, Time time) {
    this.cluster = KubeCluster.alone(connection, time);
    this.writer = new WholeObjectWriter(connection);
    this.documents = new ServerDocuments(connection, time);
  }

  @Override
  public ReadResult<Volume> readVolume(ObjectKey key) throws InterruptedException {
    return cluster.read(Kind.VOLUME, key);
  }

  @Override
  public ReadResult<List<Volume>> readVolumes() throws InterruptedException {
    return cluster.list(Kind.VOLUME, "");
  }

  @Override
  public ReadResult<Claim> readClaim(ObjectKey key) throws InterruptedException {
    return cluster.read(Kind.CLAIM, key);
  }

  @Override
  public ReadResult<Map<String, Object>> readNamespace(String name) throws InterruptedException {
    return cluster.readWhole(UndoRights.NAMESPACE, ObjectKey.cluster(name));
  }

  @Override
  public WriteResult<ObjectKey> tryClaim(ObjectKey key, Map<String, Object> manifest)
      throws InterruptedException {
    return writer.tryCreate(Kind.CLAIM, key, manifest);
  }

  @Override
  public WriteResult<ObjectKey> createClaim(ObjectKey key, Map<String, Object> manifest)
      throws InterruptedException {
    return writer.create(Kind.CLAIM, key, manifest);
  }

  @Override
  public WriteResult<Volume> patchVolume(ObjectKey key, Document patch)
      throws InterruptedException {
    return cluster.patch(Kind.VOLUME, key, patch);
  }

  @Override
  public ReadResult<SnapshotContent> readContent(ObjectKey key) throws InterruptedException {
    return cluster.read(Kind.SNAPSHOT_CONTENT, key);
  }

  @Override
  public ReadResult<Map<String, Object>> readWholeContent(ObjectKey key)
      throws InterruptedException {
    return cluster.readWhole(Kind.SNAPSHOT_CONTENT, key);
  }

  @Override
  public ReadResult<List<SnapshotContent>> readContents() throws InterruptedException {
    ReadResult<List<SnapshotContent>> contents = cluster.list(Kind.SNAPSHOT_CONTENT, "");
    return contents instanceof ReadResult.Failed<List<SnapshotContent>>
            && documents.isAbsent(Kind.SNAPSHOT_CONTENT)
        ? new ReadResult.Absent<>()
        : contents;
  }

  @Override
  public ReadResult<VolumeSnapshot> readSnapshot(ObjectKey key) throws InterruptedException {
    return cluster.read(Kind.SNAPSHOT, key);
  }

  @Override
  public WriteResult<ObjectKey> create(Kind<?> kind, ObjectKey key, Map<String, Object> manifest)
      throws InterruptedException {
    return writer.create(kind, key, manifest);
  }

  @Override
  public WriteResult<SnapshotContent> patchContent(ObjectKey key, Document patch)
      throws InterruptedException {
    return cluster.patch(Kind.SNAPSHOT_CONTENT, key, patch);
  }

  @Override
  public WriteResult<SnapshotContent> deleteContent(SnapshotContent content)
      throws InterruptedException {
    return cluster.delete(Kind.SNAPSHOT_CONTENT, content.key(), content.meta().uid());
  }
}
