package dev.mooring.apiserver.kinds.rules;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.mooring.apiserver.codec.CanonicalValues;
import dev.mooring.apiserver.kinds.model.FieldErrors;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

public final class ResourceAmounts {
  private static final Set<String> OF_CONTAINERS = Set.of("cpu", "memory", "ephemeral-storage");
  private static final Set<String> COUNTS =
      Set.of(
          """
          pods resourcequotas services replicationcontrollers secrets configmaps
          persistentvolumeclaims services.nodeports services.loadbalancers
          """
              .split("\\s+"));
  private static final Set<String> OF_QUOTAS =
      Set.of(
          """
          cpu memory ephemeral-storage requests.cpu requests.memory requests.storage
          requests.ephemeral-storage limits.cpu limits.memory limits.ephemeral-storage
          """
              .split("\\s+"));
  private static final String PAGES = "hugepages-";

  private ResourceAmounts() {}

  public static BigDecimal parseAmount(@Nullable JsonElement written) {
    return written == null || written.isJsonNull()
        ? BigDecimal.ZERO
        : Objects.requireNonNullElse(
            CanonicalValues.parseAmount(written.getAsString()), BigDecimal.ZERO);
  }

  public static boolean isPages(String name) {
    return name.startsWith(PAGES);
  }

  private static boolean isQuotaPages(String name) {
    return isPages(name) || name.startsWith("requests." + PAGES);
  }

  private static boolean isNative(String name) {
    return !name.contains("/") || name.contains("kubernetes.io/");
  }

  static boolean isExtended(String name) {
    if (isNative(name) || name.startsWith("requests.")) {
      return false;
    }
    FieldErrors found = new FieldErrors();
    ObjectNames.validateQualifiedName("requests." + name, "", found);
    return found.isEmpty();
  }

  public static boolean isOvercommitted(String name) {
    return isNative(name) && !isPages(name);
  }

  public static boolean isOfQuotas(String name) {
    return OF_QUOTAS.contains(name) || COUNTS.contains(name) || isQuotaPages(name);
  }

  /** Returns whether the name is valid; reports to the errors otherwise. */
  public static boolean validateName(String name, String field, FieldErrors errors) {
    FieldErrors found = new FieldErrors();
    ObjectNames.validateQualifiedName(name, field, found);
    boolean standard = isOfQuotas(name) || name.equals("storage");
    if (found.isEmpty() && !name.contains("/") && !standard) {
      found.addInvalid(field, name, "must be a standard resource type or fully qualified");
    }
    errors.all().addAll(found.all());
    return found.isEmpty();
  }

  public static void validateContainerName(String name, String field, FieldErrors errors) {
    validateName(name, field, errors);
    if (!name.contains("/")) {
      if (!OF_CONTAINERS.contains(name) && !isPages(name)) {
        errors.addInvalid(field, name, "must be a standard resource for containers");
      }
    } else if (!isNative(name) && !isExtended(name)) {
      errors.addInvalid(field, name, "doesn't follow extended resource name standard");
    }
  }

  public static void validateQuotaName(String name, String field, FieldErrors errors) {
    validateName(name, field, errors);
    if (!name.contains("/") && !isOfQuotas(name)) {
      errors.addInvalid(field, name, "must be a standard resource for quota");
    }
  }

  public static void validateAmount(
      String name, JsonElement written, String field, FieldErrors errors) {
    BigDecimal amount = parseAmount(written);
    if (amount.signum() < 0) {
      errors.addInvalid(field, written.getAsString(), "must be greater than or equal to 0");
    }
    boolean whole = COUNTS.contains(name) || isExtended(name);
    if (whole && amount.stripTrailingZeros().scale() > 0) {
      errors.addInvalid(field, written.getAsString(), "must be an integer");
    }
  }

  public static void validateRequirements(ValidatedObject resources) {
    validateRequirements(resources, false);
  }

  public static void validateRequirements(ValidatedObject resources, boolean pod) {
    JsonObject limits = resources.child("limits").object();
    JsonObject requests = resources.child("requests").object();
    for (Map.Entry<String, JsonElement> limit : limits.entrySet()) {
      validateAmount(limit, resources.path("limits"), pod, resources.errors());
    }
    for (Map.Entry<String, JsonElement> request : requests.entrySet()) {
      validateAmount(request, resources.path("requests"), pod, resources.errors());
      String name = request.getKey();
      int order = parseAmount(request.getValue()).compareTo(parseAmount(limits.get(name)));
      if (!limits.has(name)) {
        if (!isOvercommitted(name)) {
          resources.addRequired("limits", "Limit must be set for non overcommitable resources");
        }
      } else if (isOvercommitted(name) ? order > 0 : order != 0) {
        resources.addInvalid(
            "requests",
            request.getValue().getAsString(),
            "must be %sequal to %s limit of %s"
                .formatted(
                    isOvercommitted(name) ? "less than or " : "",
                    name,
                    limits.get(name).getAsString()));
      }
    }
    boolean pages = hasPages(limits) || hasPages(requests);
    if (pages && !hasComputeResource(limits) && !hasComputeResource(requests)) {
      resources.errors().addForbidden(resources.field(), "HugePages require cpu or memory");
    }
  }

  private static boolean hasPages(JsonObject amounts) {
    return amounts.keySet().stream().anyMatch(ResourceAmounts::isPages);
  }

  private static boolean hasComputeResource(JsonObject amounts) {
    return amounts.has("cpu") || amounts.has("memory");
  }

  private static void validateAmount(
      Map.Entry<String, JsonElement> amount, String field, boolean pod, FieldErrors errors) {
    String where = field + "[" + amount.getKey() + "]";
    if (!pod) {
      validateContainerName(amount.getKey(), where, errors);
    } else if (validateName(amount.getKey(), where, errors)
        && !List.of("cpu", "memory").contains(amount.getKey())
        && !isPages(amount.getKey())) {
      errors.addNotSupported(where, amount.getKey(), List.of("cpu", "hugepages-", "memory"));
    }
    validateAmount(amount.getKey(), amount.getValue(), where, errors);
    if (isPages(amount.getKey())) {
      BigDecimal size = CanonicalValues.parseAmount(amount.getKey().substring(PAGES.length()));
      boolean divides =
          size != null
              && size.signum() > 0
              && parseAmount(amount.getValue()).remainder(size).signum() == 0;
      if (!divides) {
        errors.addInvalid(
            where,
            amount.getValue().getAsString(),
            "is not positive integer multiple of " + amount.getKey());
      }
    }
  }
}
