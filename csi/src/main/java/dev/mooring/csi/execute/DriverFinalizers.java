package dev.mooring.csi.execute;

import dev.mooring.cluster.ClusterWriter;
import dev.mooring.cluster.Document;
import dev.mooring.cluster.WriteResult;
import dev.mooring.model.Kind;
import dev.mooring.model.Resource;
import dev.mooring.reconcile.Outcome;
import java.util.List;

/** Adds and removes finalizers of objects that a driver needs. Thread-safe. */
public record DriverFinalizers(ClusterWriter writer) {
  <T extends Resource> WriteResult<T> add(Kind<T> kind, T object, String finalizer)
      throws InterruptedException {
    return write(kind, object, object.meta().finalizersWith(finalizer));
  }

  <T extends Resource> WriteResult<T> remove(Kind<T> kind, T object, String finalizer)
      throws InterruptedException {
    return write(kind, object, object.meta().finalizersWithout(finalizer));
  }

  private <T extends Resource> WriteResult<T> write(Kind<T> kind, T object, List<String> finalizers)
      throws InterruptedException {
    return writer.patch(
        kind,
        object.key(),
        Document.patchOf(object.meta()).set(finalizers, "metadata", "finalizers"));
  }

  public <T extends Resource> Outcome release(Kind<T> kind, T object, String finalizer)
      throws InterruptedException {
    return Outcome.ofWrite(
        "removing the finalizer of " + kind + " " + object.key(), remove(kind, object, finalizer));
  }
}
