package dev.mooring.manager.undo;

import dev.mooring.cluster.Document;
import dev.mooring.cluster.ReadResult;
import dev.mooring.cluster.WriteResult;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.SnapshotContent;
import dev.mooring.model.VolumeSnapshot;
import java.util.List;
import java.util.Map;

public interface SnapshotUndoCluster {
  ReadResult<SnapshotContent> readContent(ObjectKey key) throws InterruptedException;

  ReadResult<Map<String, Object>> readWholeContent(ObjectKey key) throws InterruptedException;

  ReadResult<List<SnapshotContent>> readContents() throws InterruptedException;

  ReadResult<VolumeSnapshot> readSnapshot(ObjectKey key) throws InterruptedException;

  ReadResult<Map<String, Object>> readNamespace(String name) throws InterruptedException;

  WriteResult<ObjectKey> create(Kind<?> kind, ObjectKey key, Map<String, Object> manifest)
      throws InterruptedException;

  WriteResult<SnapshotContent> patchContent(ObjectKey key, Document patch)
      throws InterruptedException;

  WriteResult<SnapshotContent> deleteContent(SnapshotContent content) throws InterruptedException;
}
