package dev.mooring.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Gives a client or kubeconfig parameter the rights of a service account of the namespace. See
 * {@link KubernetesServer#kubeconfigOf}.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.PARAMETER)
public @interface ActingAs {
  /** The name of the service account. */
  String value();
}
