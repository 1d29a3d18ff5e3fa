package dev.mooring.apiserver;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.mooring.apiserver.codec.BadBodyException;
import dev.mooring.apiserver.codec.JsonBodies;
import dev.mooring.apiserver.codec.YamlBodies;
import dev.mooring.apiserver.handle.ObjectHandlers;
import dev.mooring.apiserver.handle.WriteOptions;
import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.apiserver.kinds.custom.CustomTypes;
import dev.mooring.apiserver.kinds.model.ResourceType;
import dev.mooring.apiserver.kinds.model.StatusException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

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

  /** Returns the resources of both groups in version v1, without a server. */
  public static List<ResourceType> listTypes() {
    return Stream.of(SNAPSHOT_FILE, GROUP_SNAPSHOT_FILE)
        .flatMap(file -> readDefinitions(file).stream())
        .flatMap(definition -> CustomTypes.findServedTypes(definition).stream())
        .filter(type -> type.version().equals("v1"))
        .toList();
  }

  /** Creates the missing definitions of snapshot.storage.k8s.io. */
  public static void install(ObjectHandlers handlers) {
    install(handlers, SNAPSHOT_FILE);
  }

  /** Creates the missing definitions of groupsnapshot.storage.k8s.io. */
  public static void installGroups(ObjectHandlers handlers) {
    install(handlers, GROUP_SNAPSHOT_FILE);
  }

  private static void install(ObjectHandlers handlers, String file) {
    for (JsonObject definition : readDefinitions(file)) {
      try {
        if (handlers
                .store(KindCatalogue.DEFINITIONS)
                .get(JsonBodies.textAt(definition, "metadata", "name"))
            == null) {
          handlers.create(KindCatalogue.DEFINITIONS, "", definition, WriteOptions.PLAIN);
        }
      } catch (StatusException e) {
        throw new IllegalStateException(file + " cannot be installed: " + e.getMessage(), e);
      }
    }
  }

  private static List<JsonObject> readDefinitions(String file) {
    List<JsonObject> definitions = new ArrayList<>();
    for (String document : readManifest(file).split("\n---\n")) {
      try {
        definitions.add(
            JsonParser.parseString(YamlBodies.toJson(document, new ArrayList<>()))
                .getAsJsonObject());
      } catch (BadBodyException e) {
        throw new IllegalStateException(file + " is invalid: " + e.getMessage(), e);
      }
    }
    return definitions;
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
