package dev.mooring.apiserver;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.mooring.apiserver.codec.BadBodyException;
import dev.mooring.apiserver.codec.JsonBodies;
import dev.mooring.apiserver.codec.YamlBodies;
import dev.mooring.apiserver.handle.ObjectHandlers;
import dev.mooring.apiserver.handle.WriteOptions;
import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.apiserver.kinds.model.ResourceType;
import dev.mooring.apiserver.kinds.model.StatusException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Objects;
import java.util.Optional;

/**
 * Installs the kinds of snapshot.storage.k8s.io and groupsnapshot.storage.k8s.io as custom
 * resources, as they are in a real cluster.
 */
public final class SnapshotResources {
  private static final String GROUP = "snapshot.storage.k8s.io";
  private static final String GROUP_SNAPSHOT_GROUP = "groupsnapshot.storage.k8s.io";
  private static final String SNAPSHOT_FILE = "/dev/mooring/apiserver/snapshot-kinds.yaml";
  private static final String GROUP_SNAPSHOT_FILE =
      "/dev/mooring/apiserver/group-snapshot-kinds.yaml";

  private SnapshotResources() {}

  /** Creates the missing definitions of snapshot.storage.k8s.io. */
  public static void install(ObjectHandlers handlers) {
    install(handlers, SNAPSHOT_FILE);
  }

  /** Creates the missing definitions of groupsnapshot.storage.k8s.io. */
  public static void installGroups(ObjectHandlers handlers) {
    install(handlers, GROUP_SNAPSHOT_FILE);
  }

  private static void install(ObjectHandlers handlers, String file) {
    for (String document : readManifest(file).split("\n---\n")) {
      try {
        JsonObject definition =
            JsonParser.parseString(YamlBodies.toJson(document, new ArrayList<>()))
                .getAsJsonObject();
        if (handlers
                .store(KindCatalogue.DEFINITIONS)
                .get(JsonBodies.textAt(definition, "metadata", "name"))
            == null) {
          handlers.create(KindCatalogue.DEFINITIONS, "", definition, WriteOptions.PLAIN);
        }
      } catch (BadBodyException | StatusException e) {
        throw new IllegalStateException(file + " cannot be installed: " + e.getMessage(), e);
      }
    }
  }

  /** Returns the resource with that plural name; empty if its definition is not installed. */
  public static Optional<ResourceType> findType(ObjectHandlers handlers, String plural) {
    return handlers
        .findType(GROUP, "v1", plural)
        .or(() -> handlers.findType(GROUP_SNAPSHOT_GROUP, "v1", plural));
  }

  private static String readManifest(String file) {
    try (InputStream in =
        Objects.requireNonNull(SnapshotResources.class.getResourceAsStream(file), file)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
