package dev.mooring.apiserver.admit;

import static dev.mooring.apiserver.codec.JsonBodies.flagAt;
import static dev.mooring.apiserver.codec.JsonBodies.getOrAddChild;
import static dev.mooring.apiserver.codec.JsonBodies.newObject;
import static dev.mooring.apiserver.codec.JsonBodies.stringsAt;
import static dev.mooring.apiserver.codec.JsonBodies.textAt;
import static dev.mooring.apiserver.codec.JsonBodies.valueAt;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.mooring.apiserver.codec.CanonicalValues;
import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.apiserver.kinds.model.ResourceType;
import dev.mooring.apiserver.kinds.model.StatusException;
import dev.mooring.apiserver.store.Store;
import dev.mooring.apiserver.store.StoredObject;
import dev.mooring.apiserver.webhook.WebhookAdmission;
import java.math.BigDecimal;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The admission plugins that volume controllers depend on: namespace lifecycle, protection
 * finalizers, default storage class, and permission to resize.
 */
public final class AdmissionChain {
  private static final String BETA_CLASS_ANNOTATION = "volume.beta.kubernetes.io/storage-class";

  private static final List<String> DEFAULT_CLASS_ANNOTATIONS =
      List.of(
          "storageclass.kubernetes.io/is-default-class",
          "storageclass.beta.kubernetes.io/is-default-class");

  private static final Set<String> UNDELETABLE_NAMESPACES =
      Set.of("default", "kube-system", "kube-public");

  private static final String NOT_READY_TAINT = "node.kubernetes.io/not-ready";

  private final Function<ResourceType, Store> stores;
  private final WebhookAdmission webhooks;

  public AdmissionChain(Function<ResourceType, Store> stores) {
    this.stores = stores;
    this.webhooks = new WebhookAdmission(stores);
  }

  public WebhookAdmission webhooks() {
    return webhooks;
  }

  /**
   * Applies mutating admission to an object before its creation.
   *
   * @param object the tree, which changes
   * @param isRequest true for a client's request, false for the process itself
   * @throws StatusException if the namespace or a referenced object does not exist, or the
   *     namespace is terminating
   */
  public void mutateCreate(
      ResourceType type, String namespace, JsonObject object, boolean isRequest)
      throws StatusException {
    if (type.namespaced()) {
      requireActiveNamespace(type, namespace, textAt(object, "metadata", "name"));
    }
    if (type == KindCatalogue.NODES && isRequest) {
      addNotReadyTaint(object);
    }
    if (type == KindCatalogue.PODS) {
      new LimitRangeAdmission(stores).setDefaults(namespace, object);
      PodAdmission.mutateCreate(object, stores);
    }
    String protection = type.traits().protectionFinalizer();
    if (!protection.isEmpty()
        && !stringsAt(object, "metadata", "finalizers").contains(protection)) {
      JsonObject metadata = getOrAddChild(object, "metadata");
      JsonArray finalizers =
          metadata.get("finalizers") instanceof JsonArray list ? list : new JsonArray();
      finalizers.add(protection);
      metadata.add("finalizers", finalizers);
    }
    if (type == KindCatalogue.CLAIMS
        && valueAt(object, "spec", "storageClassName") == null
        && valueAt(object, "metadata", "annotations", BETA_CLASS_ANNOTATION) == null) {
      String defaultClass = findDefaultClass();
      if (defaultClass != null) {
        getOrAddChild(object, "spec").addProperty("storageClassName", defaultClass);
      }
    }
  }

  private @Nullable String findDefaultClass() {
    String newestClass = null;
    String newestTime = "";
    for (StoredObject stored : stores.apply(KindCatalogue.CLASSES).list("").objects()) {
      JsonObject tree = stored.tree();
      boolean isDefault =
          DEFAULT_CLASS_ANNOTATIONS.stream()
              .anyMatch(a -> textAt(tree, "metadata", "annotations", a).equals("true"));
      String created = textAt(tree, "metadata", "creationTimestamp");
      if (isDefault && (newestClass == null || created.compareTo(newestTime) > 0)) {
        newestClass = textAt(tree, "metadata", "name");
        newestTime = created;
      }
    }
    return newestClass;
  }

  public void mutateUpdate(ResourceType type, JsonObject object, JsonObject old) {
    if (type == KindCatalogue.PODS) {
      PodAdmission.mutateUpdate(object, old);
    }
  }

  /**
   * Checks the object against limit ranges and quotas, and charges the quotas.
   *
   * @param old the tree before; null for a creation
   * @param dryRun true to check without charging
   * @throws StatusException if the object exceeds a limit or a quota
   */
  public void charge(ResourceType type, JsonObject object, @Nullable JsonObject old, boolean dryRun)
      throws StatusException {
    if (type == KindCatalogue.PODS && old == null) {
      PodAdmission.checkOverhead(object);
    }
    boolean isLimited = type == KindCatalogue.CLAIMS || type == KindCatalogue.PODS && old == null;
    if (isLimited && stores.apply(KindCatalogue.LIMIT_RANGES).size() > 0) {
      new LimitRangeAdmission(stores).check(type, textAt(object, "metadata", "namespace"), object);
    }
    if (type.namespaced() && stores.apply(KindCatalogue.QUOTAS).size() > 0) {
      new QuotaAdmission(stores).charge(type, object, old, dryRun);
    }
  }

  private static void addNotReadyTaint(JsonObject node) {
    JsonObject spec = getOrAddChild(node, "spec");
    JsonArray taints = spec.get("taints") instanceof JsonArray list ? list : new JsonArray();
    for (JsonElement taint : taints) {
      if (textAt(taint.getAsJsonObject(), "key").equals(NOT_READY_TAINT)) {
        return;
      }
    }
    taints.add(newObject("key", NOT_READY_TAINT, "effect", "NoSchedule"));
    spec.add("taints", taints);
  }

  public void requireActiveNamespace(ResourceType type, String namespace, String name)
      throws StatusException {
    StoredObject storedNamespace = stores.apply(KindCatalogue.NAMESPACES).get(namespace);
    if (storedNamespace == null) {
      throw StatusException.notFound(KindCatalogue.NAMESPACES, namespace);
    }
    if (!textAt(storedNamespace.tree(), "metadata", "deletionTimestamp").isEmpty()) {
      throw StatusException.forbidden(
          type,
          name,
          "unable to create new content in namespace "
              + namespace
              + " because it is being terminated",
          List.of(
              new StatusException.StatusCause(
                  "NamespaceTerminating",
                  "namespace " + namespace + " is being terminated",
                  "metadata.namespace")));
    }
  }

  /** Throws if the object must not be deleted. */
  public void checkDelete(ResourceType type, String name) throws StatusException {
    if (type == KindCatalogue.NAMESPACES && UNDELETABLE_NAMESPACES.contains(name)) {
      throw StatusException.forbidden(type, name, "this namespace may not be deleted", List.of());
    }
  }

  /**
   * Throws if admission forbids the change: a claim may grow only if its class allows expansion.
   *
   * @param object the new tree
   * @param old the tree before
   */
  public void checkUpdate(ResourceType type, String name, JsonObject object, JsonObject old)
      throws StatusException {
    if (type != KindCatalogue.CLAIMS) {
      return;
    }
    JsonElement newSize = valueAt(object, "spec", "resources", "requests", "storage");
    JsonElement oldSize = valueAt(old, "spec", "resources", "requests", "storage");
    if (newSize == null
        || oldSize == null
        || parseAmount(newSize).compareTo(parseAmount(oldSize)) <= 0) {
      return;
    }
    if (!textAt(old, "status", "phase").equals("Bound")) {
      throw StatusException.forbidden(
          type, name, "Only bound persistent volume claims can be expanded", List.of());
    }
    String annotatedClass = textAt(object, "metadata", "annotations", BETA_CLASS_ANNOTATION);
    String className =
        annotatedClass.isEmpty() ? textAt(object, "spec", "storageClassName") : annotatedClass;
    StoredObject storageClass =
        className.isEmpty() ? null : stores.apply(KindCatalogue.CLASSES).get(className);
    if (storageClass == null || !flagAt(storageClass.tree(), "allowVolumeExpansion")) {
      throw StatusException.forbidden(
          type,
          name,
          "only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize",
          List.of());
    }
  }

  private static BigDecimal parseAmount(JsonElement value) {
    return Objects.requireNonNull(CanonicalValues.parseAmount(value.getAsString()));
  }

  /** Deletes the objects of a namespace whose last finalizer was removed. */
  public void deleteNamespaceContent(String namespace) {
    for (ResourceType type : KindCatalogue.ALL) {
      if (!type.namespaced() || type.isAlias()) {
        continue;
      }
      for (StoredObject stored : stores.apply(type).list(namespace + "/").objects()) {
        stores.apply(type).<RuntimeException>write(stored.key(), current -> null);
      }
    }
  }
}
