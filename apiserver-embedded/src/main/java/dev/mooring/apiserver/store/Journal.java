package dev.mooring.apiserver.store;

import com.google.gson.JsonObject;
import org.jspecify.annotations.Nullable;

/** Records writes before the server acknowledges them. */
@FunctionalInterface
public interface Journal {
  Journal NONE = (resource, key, version, tree) -> {};

  /**
   * Records a write; a null {@code tree} is a deletion. When this returns, the write survives the
   * end of the process.
   */
  void record(String resource, String key, long version, @Nullable JsonObject tree);
}
