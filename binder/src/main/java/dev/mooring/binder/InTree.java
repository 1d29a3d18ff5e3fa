package dev.mooring.binder;

import static java.lang.annotation.ElementType.METHOD;
import static java.lang.annotation.ElementType.PARAMETER;
import static java.lang.annotation.RetentionPolicy.RUNTIME;

import com.google.inject.BindingAnnotation;
import java.lang.annotation.Retention;
import java.lang.annotation.Target;

/** Qualifier of the plugins whose volumes the binder itself provisions and deletes. */
@BindingAnnotation
@Target({METHOD, PARAMETER})
@Retention(RUNTIME)
public @interface InTree {}
