package dev.mooring.manager.grow;

import dev.mooring.cluster.Document;
import dev.mooring.cluster.ReadResult;
import dev.mooring.cluster.WriteResult;
import dev.mooring.model.Claim;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Uid;
import java.io.IOException;
import java.util.List;

/** Reads and writes of a growth; a port, so that tests can interrupt it at each write. */
public interface GrowthCluster {
  /**
   * Reads the objects that a plan depends on.
   *
   * @throws IOException if an object cannot be read; the message is one line
   */
  GrowthView read(GrowthRequest request) throws IOException, InterruptedException;

  ReadResult<Claim> readClaim(ObjectKey key) throws InterruptedException;

  WriteResult<ObjectKey> tryCreation(ObjectKey key, SavedStatefulSet saved)
      throws InterruptedException;

  WriteResult<Claim> patchClaim(ObjectKey key, Document patch) throws InterruptedException;

  WriteResult<ObjectKey> createConfigMap(ObjectKey key, SavedStatefulSet saved)
      throws InterruptedException;

  WriteResult<ObjectKey> patchConfigMap(
      ObjectKey key, SavedStatefulSet.Location location, SavedStatefulSet saved)
      throws InterruptedException;

  WriteResult<ObjectKey> deleteConfigMap(ObjectKey key, SavedStatefulSet.Location location)
      throws InterruptedException;

  WriteResult<ObjectKey> deleteStatefulSet(ObjectKey key, Uid uid, long version)
      throws InterruptedException;

  WriteResult<ObjectKey> createStatefulSet(ObjectKey key, SavedStatefulSet saved)
      throws InterruptedException;

  WriteResult<ObjectKey> setFieldManagers(ObjectKey key, StoredStatefulSet current, List<?> entries)
      throws InterruptedException;
}
