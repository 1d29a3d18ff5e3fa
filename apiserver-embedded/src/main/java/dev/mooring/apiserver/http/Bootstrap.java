package dev.mooring.apiserver.http;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.mooring.apiserver.kinds.Catalogue;
import dev.mooring.apiserver.kinds.Problem;
import dev.mooring.apiserver.kinds.ResourceType;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** What is there from the start: namespaces, and where roles count the usual ones. */
public final class Bootstrap {
  private static final String GROUP = "rbac.authorization.k8s.io";

  private Bootstrap() {}

  /** Creates what is missing of it. */
  public static void run(Verbs verbs, boolean withRoles) {
    for (String name : List.of("default", "kube-system", "kube-public", "kube-node-lease")) {
      create(verbs, Catalogue.NAMESPACES, name, new JsonObject());
    }
    if (!withRoles) {
      return;
    }
    JsonObject all = read();
    for (Map.Entry<String, JsonElement> role : all.getAsJsonObject("clusterroles").entrySet()) {
      JsonObject object = new JsonObject();
      object.add("rules", role.getValue());
      create(verbs, Catalogue.CLUSTER_ROLES, role.getKey(), object);
    }
    for (Map.Entry<String, JsonElement> binding :
        all.getAsJsonObject("clusterrolebindings").entrySet()) {
      create(
          verbs,
          Catalogue.CLUSTER_ROLE_BINDINGS,
          binding.getKey(),
          binding(binding.getKey(), binding.getValue().getAsJsonArray()));
    }
  }

  private static JsonObject binding(String role, JsonArray groups) {
    JsonObject reference = new JsonObject();
    reference.addProperty("apiGroup", GROUP);
    reference.addProperty("kind", "ClusterRole");
    reference.addProperty("name", role);
    JsonArray subjects = new JsonArray();
    for (JsonElement group : groups) {
      JsonObject subject = new JsonObject();
      subject.addProperty("kind", "Group");
      subject.addProperty("apiGroup", GROUP);
      subject.add("name", group);
      subjects.add(subject);
    }
    JsonObject binding = new JsonObject();
    binding.add("subjects", subjects);
    binding.add("roleRef", reference);
    return binding;
  }

  private static JsonObject read() {
    try (InputStream in =
        Objects.requireNonNull(
            Bootstrap.class.getResourceAsStream("/dev/mooring/apiserver/access/roles.json"))) {
      return JsonParser.parseReader(new InputStreamReader(in, StandardCharsets.UTF_8))
          .getAsJsonObject();
    } catch (IOException e) {
      throw new UncheckedIOException("roles.json", e);
    }
  }

  private static void create(Verbs verbs, ResourceType type, String name, JsonObject object) {
    if (verbs.store(type).get(name) != null) {
      return;
    }
    JsonObject metadata = new JsonObject();
    metadata.addProperty("name", name);
    object.add("metadata", metadata);
    try {
      verbs.create(type, "", object, WriteOptions.PLAIN);
    } catch (Problem refused) {
      throw new IllegalStateException("the server refuses its own " + name, refused);
    }
  }
}
