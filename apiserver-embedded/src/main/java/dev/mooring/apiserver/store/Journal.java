package dev.mooring.apiserver.store;

import com.google.gson.JsonObject;
import org.jspecify.annotations.Nullable;

/** Where writes are noted down before they are acknowledged. */
@FunctionalInterface
public interface Journal {
  /** Notes nothing. */
  Journal NONE = (resource, key, version, tree) -> {};

  /** Notes a write; null for a deletion. Returns when it would survive the end of the process. */
  void note(String resource, String key, long version, @Nullable JsonObject tree);
}
