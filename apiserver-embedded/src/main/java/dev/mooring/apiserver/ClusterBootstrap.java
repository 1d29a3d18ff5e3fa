package dev.mooring.apiserver;

import static dev.mooring.apiserver.codec.JsonBodies.arrayOf;
import static dev.mooring.apiserver.codec.JsonBodies.objectOf;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.mooring.apiserver.codec.JsonBodies;
import dev.mooring.apiserver.handle.ObjectHandlers;
import dev.mooring.apiserver.handle.WriteOptions;
import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.apiserver.kinds.model.ResourceType;
import dev.mooring.apiserver.kinds.model.StatusException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

final class ClusterBootstrap {
  private static final String GROUP = "rbac.authorization.k8s.io";

  private ClusterBootstrap() {}

  static void run(ObjectHandlers handlers, boolean withRoles) {
    for (String name : List.of("default", "kube-system", "kube-public", "kube-node-lease")) {
      create(handlers, KindCatalogue.NAMESPACES, name, new JsonObject());
    }
    if (!withRoles) {
      return;
    }
    JsonObject all = read();
    for (Map.Entry<String, JsonElement> role : all.getAsJsonObject("clusterroles").entrySet()) {
      JsonObject object = objectOf("rules", role.getValue());
      aggregation(all.getAsJsonObject("aggregations").get(role.getKey()), object);
      create(
          handlers,
          KindCatalogue.CLUSTER_ROLES,
          role.getKey(),
          marked(object, all.getAsJsonObject("labels").get(role.getKey())));
    }
    all.getAsJsonObject("clusterrolebindings")
        .entrySet()
        .forEach(e -> {
          JsonArray subjects = new JsonArray();
          e.getValue()
              .getAsJsonArray()
              .forEach(g -> subjects.add(subject("Group", g.getAsString())));
          bind(handlers, e.getKey(), subjects);
        });
    all.getAsJsonObject("userbindings")
        .entrySet()
        .forEach(e -> {
          bind(handlers, e.getKey(), arrayOf(subject("User", e.getValue().getAsString())));
        });
    for (JsonElement controller : all.getAsJsonArray("accountbindings")) {
      JsonArray subjects = arrayOf(subject("ServiceAccount", controller.getAsString()));
      bind(handlers, "system:controller:" + controller.getAsString(), subjects);
    }
  }

  private static void aggregation(@Nullable JsonElement labels, JsonObject role) {
    if (labels == null) {
      return;
    }
    JsonArray selectors = new JsonArray();
    for (JsonElement one : labels.getAsJsonArray()) {
      selectors.add(objectOf("matchLabels", one));
    }
    role.add("aggregationRule", objectOf("clusterRoleSelectors", selectors));
  }

  private static JsonObject marked(JsonObject object, @Nullable JsonElement more) {
    JsonObject labels = objectOf("kubernetes.io/bootstrapping", "rbac-defaults");
    if (more != null) {
      more.getAsJsonObject().entrySet().forEach(e -> labels.add(e.getKey(), e.getValue()));
    }
    JsonObject annotations = objectOf("rbac.authorization.kubernetes.io/autoupdate", "true");
    JsonObject metadata = objectOf("labels", labels, "annotations", annotations);
    object.add("metadata", metadata);
    return object;
  }

  private static JsonObject subject(String kind, String name) {
    JsonObject subject = objectOf("kind", kind);
    if (kind.equals("ServiceAccount")) {
      subject.addProperty("namespace", "kube-system");
    } else {
      subject.addProperty("apiGroup", GROUP);
    }
    subject.addProperty("name", name);
    return subject;
  }

  private static void bind(ObjectHandlers handlers, String role, JsonArray subjects) {
    JsonObject reference = objectOf("apiGroup", GROUP, "kind", "ClusterRole", "name", role);
    JsonObject binding = objectOf("subjects", subjects, "roleRef", reference);
    create(handlers, KindCatalogue.CLUSTER_ROLE_BINDINGS, role, marked(binding, null));
  }

  private static JsonObject read() {
    try (InputStream in =
        Objects.requireNonNull(
            ClusterBootstrap.class.getResourceAsStream(
                "/dev/mooring/apiserver/access/roles.json"))) {
      return JsonParser.parseReader(new InputStreamReader(in, StandardCharsets.UTF_8))
          .getAsJsonObject();
    } catch (IOException e) {
      throw new UncheckedIOException("roles.json", e);
    }
  }

  private static void create(
      ObjectHandlers handlers, ResourceType type, String name, JsonObject object) {
    if (handlers.store(type).get(name) != null) {
      return;
    }
    JsonBodies.child(object, "metadata").addProperty("name", name);
    try {
      handlers.create(type, "", object, WriteOptions.PLAIN);
    } catch (StatusException refused) {
      throw new IllegalStateException("the server refused the built-in object " + name, refused);
    }
  }
}
