package dev.mooring.manager.undo;

import dev.mooring.cluster.Document;
import dev.mooring.cluster.ReadResult;
import dev.mooring.cluster.WriteResult;
import dev.mooring.model.Claim;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Volume;
import java.util.List;
import java.util.Map;

/** Reads and writes of an undo; a port, so that tests can interrupt it at each write. */
public interface UndoCluster {
  ReadResult<Volume> readVolume(ObjectKey key) throws InterruptedException;

  /** Lists all volumes. They lack the manifests of claims. */
  ReadResult<List<Volume>> readVolumes() throws InterruptedException;

  ReadResult<Claim> readClaim(ObjectKey key) throws InterruptedException;

  ReadResult<Map<String, Object>> readNamespace(String name) throws InterruptedException;

  /** Asks the API server whether it would accept the claim. */
  WriteResult<ObjectKey> tryClaim(ObjectKey key, Map<String, Object> manifest)
      throws InterruptedException;

  WriteResult<ObjectKey> createClaim(ObjectKey key, Map<String, Object> manifest)
      throws InterruptedException;

  WriteResult<Volume> patchVolume(ObjectKey key, Document patch) throws InterruptedException;
}
