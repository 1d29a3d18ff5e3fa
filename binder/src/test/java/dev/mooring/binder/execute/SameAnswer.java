package dev.mooring.binder.execute;

import dev.mooring.cluster.ClusterWriter;
import dev.mooring.cluster.Document;
import dev.mooring.cluster.WriteResult;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Resource;
import dev.mooring.model.Uid;

/** A server that answers every write in the same way. */
abstract class SameAnswer implements ClusterWriter {
  abstract <T extends Resource> WriteResult<T> answer(ObjectKey key);

  @Override
  public <T extends Resource> WriteResult<T> patch(Kind<T> kind, ObjectKey key, Document patch) {
    return answer(key);
  }

  @Override
  public <T extends Resource> WriteResult<T> patchStatus(
      Kind<T> kind, ObjectKey key, Document patch) {
    return answer(key);
  }

  @Override
  public <T extends Resource> WriteResult<T> create(Kind<T> kind, ObjectKey key, Document object) {
    return answer(key);
  }

  @Override
  public <T extends Resource> WriteResult<T> delete(
      Kind<T> kind, ObjectKey key, Uid uid, long version) {
    return answer(key);
  }
}
