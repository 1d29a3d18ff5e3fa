package dev.mooring.manager.undo;

import dev.mooring.cluster.Document;
import dev.mooring.cluster.ReadResult;
import dev.mooring.cluster.WriteResult;
import dev.mooring.kube.KubeCluster;
import dev.mooring.kube.KubeConnection;
import dev.mooring.kube.WholeObjectWriter;
import dev.mooring.model.Claim;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Volume;
import dev.mooring.time.Time;
import java.util.List;
import java.util.Map;

public final class KubeUndoCluster implements UndoCluster {
  private final KubeCluster cluster;
  private final WholeObjectWriter writer;

  public KubeUndoCluster(KubeConnection connection, Time time) {
    this.cluster = KubeCluster.alone(connection, time);
    this.writer = new WholeObjectWriter(connection);
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
}
