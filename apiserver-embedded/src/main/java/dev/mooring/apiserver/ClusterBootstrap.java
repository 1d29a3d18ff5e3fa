package dev.mooring.apiserver;

import static dev.mooring.apiserver.codec.JsonBodies.newArray;
import static dev.mooring.apiserver.codec.JsonBodies.newObject;

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
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

final class ClusterBootstrap {
  private static final String GROUP = "rbac.authorization.k8s.io";

  private ClusterBootstrap() {}

  static void createObjects(ObjectHandlers handlers, boolean includesRoles) {
    for (String name : List.of("default", "kube-system", "kube-public", "kube-node-lease")) {
      createIfAbsent(handlers, KindCatalogue.NAMESPACES, name, new JsonObject());
    }
    createApiServices(handlers);
    createPriorityClass(handlers, "system-cluster-critical", 2_000_000_000);
    createPriorityClass(handlers, "system-node-critical", 2_000_001_000);
    if (!includesRoles) {
      return;
    }
    JsonObject file = readRoles();
    for (Map.Entry<String, JsonElement> role : file.getAsJsonObject("clusterroles").entrySet()) {
      JsonObject object = newObject("rules", aggregateRules(file, role.getKey()));
      addAggregationRule(file.getAsJsonObject("aggregations").get(role.getKey()), object);
      createIfAbsent(
          handlers,
          KindCatalogue.CLUSTER_ROLES,
          role.getKey(),
          addBootstrapMetadata(object, file.getAsJsonObject("labels").get(role.getKey())));
    }
    createBindings(handlers, file);
  }

  // No controller aggregates roles: the rules are those of the built-in roles with the labels.
  private static JsonArray aggregateRules(JsonObject file, String role) {
    JsonObject roles = file.getAsJsonObject("clusterroles");
    JsonArray rules = roles.getAsJsonArray(role).deepCopy();
    if (file.getAsJsonObject("aggregations").get(role) instanceof JsonArray selectors) {
      for (String part : new TreeSet<>(roles.keySet())) {
        JsonElement labels = file.getAsJsonObject("labels").get(part);
        if (labels != null && selectors.contains(labels)) {
          for (JsonElement rule : aggregateRules(file, part)) {
            if (!rules.contains(rule)) {
              rules.add(rule);
            }
          }
        }
      }
    }
    return rules;
  }

  private static void createPriorityClass(ObjectHandlers handlers, String name, int value) {
    createIfAbsent(handlers, KindCatalogue.PRIORITY_CLASSES, name, newObject("value", value));
  }

  private static void createApiServices(ObjectHandlers handlers) {
    Set<String> versions = new LinkedHashSet<>();
    KindCatalogue.ALL.forEach(type -> versions.add(type.version() + "." + type.group()));
    versions.add("v1.authentication.k8s.io");
    versions.add("v1.authorization.k8s.io");
    for (String name : versions) {
      int dot = name.indexOf('.');
      JsonObject spec = newObject("version", name.substring(0, dot));
      if (dot + 1 < name.length()) {
        spec.addProperty("group", name.substring(dot + 1));
      }
      spec.addProperty("groupPriorityMinimum", name.equals("v1.") ? 18_000 : 17_000);
      spec.addProperty("versionPriority", name.equals("v1.") ? 1 : 15);
      JsonObject labels = newObject("kube-aggregator.kubernetes.io/automanaged", "onstart");
      createIfAbsent(
          handlers,
          KindCatalogue.API_SERVICES,
          name,
          newObject("metadata", newObject("labels", labels), "spec", spec));
    }
  }

  private static void createBindings(ObjectHandlers handlers, JsonObject file) {
    file.getAsJsonObject("clusterrolebindings")
        .entrySet()
        .forEach(e -> {
          JsonArray subjects = new JsonArray();
          e.getValue()
              .getAsJsonArray()
              .forEach(g -> subjects.add(makeSubject("Group", g.getAsString())));
          createBinding(handlers, e.getKey(), subjects);
        });
    file.getAsJsonObject("userbindings")
        .entrySet()
        .forEach(e -> {
          createBinding(
              handlers, e.getKey(), newArray(makeSubject("User", e.getValue().getAsString())));
        });
    for (JsonElement controller : file.getAsJsonArray("accountbindings")) {
      JsonArray subjects = newArray(makeSubject("ServiceAccount", controller.getAsString()));
      createBinding(handlers, "system:controller:" + controller.getAsString(), subjects);
    }
  }

  private static void addAggregationRule(@Nullable JsonElement labels, JsonObject role) {
    if (labels == null) {
      return;
    }
    JsonArray selectors = new JsonArray();
    for (JsonElement selectorLabels : labels.getAsJsonArray()) {
      selectors.add(newObject("matchLabels", selectorLabels));
    }
    role.add("aggregationRule", newObject("clusterRoleSelectors", selectors));
  }

  private static JsonObject addBootstrapMetadata(
      JsonObject object, @Nullable JsonElement moreLabels) {
    JsonObject labels = newObject("kubernetes.io/bootstrapping", "rbac-defaults");
    if (moreLabels != null) {
      moreLabels.getAsJsonObject().entrySet().forEach(e -> labels.add(e.getKey(), e.getValue()));
    }
    JsonObject annotations = newObject("rbac.authorization.kubernetes.io/autoupdate", "true");
    JsonObject metadata = newObject("labels", labels, "annotations", annotations);
    object.add("metadata", metadata);
    return object;
  }

  private static JsonObject makeSubject(String kind, String name) {
    JsonObject subject = newObject("kind", kind);
    if (kind.equals("ServiceAccount")) {
      subject.addProperty("namespace", "kube-system");
    } else {
      subject.addProperty("apiGroup", GROUP);
    }
    subject.addProperty("name", name);
    return subject;
  }

  private static void createBinding(ObjectHandlers handlers, String role, JsonArray subjects) {
    JsonObject reference = newObject("apiGroup", GROUP, "kind", "ClusterRole", "name", role);
    JsonObject binding = newObject("subjects", subjects, "roleRef", reference);
    createIfAbsent(
        handlers, KindCatalogue.CLUSTER_ROLE_BINDINGS, role, addBootstrapMetadata(binding, null));
  }

  private static JsonObject readRoles() {
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

  private static void createIfAbsent(
      ObjectHandlers handlers, ResourceType type, String name, JsonObject object) {
    if (handlers.store(type).get(name) != null) {
      return;
    }
    JsonBodies.getOrAddChild(object, "metadata").addProperty("name", name);
    try {
      handlers.create(type, "", object, WriteOptions.PLAIN);
    } catch (StatusException e) {
      throw new IllegalStateException("the server refused the built-in object " + name, e);
    }
  }
}
