// SPDX-License-Identifier: MIT
// GTK, and what of it are macros in C, which Swift does not see.
#include <gtk/gtk.h>

static inline const GValue *asyncstate_value_at(const GValue *values, guint index) { return &values[index]; }

static inline GType asyncstate_boolean_type(void) { return G_TYPE_BOOLEAN; }

static inline GClosure *asyncstate_closure(gpointer data, GClosureMarshal marshal, GClosureNotify release) {
  GClosure *closure = g_closure_new_simple(sizeof(GClosure), data);
  g_closure_add_finalize_notifier(closure, data, release);
  g_closure_set_marshal(closure, marshal);
  return closure;
}

static inline void asyncstate_set_string(gpointer object, const char *property, const char *value) {
  g_object_set(object, property, value, NULL);
}

static inline void asyncstate_set_boolean(gpointer object, const char *property, gboolean value) {
  g_object_set(object, property, value, NULL);
}

static inline void asyncstate_set_accessible_name(GtkWidget *widget, const char *name) {
  gtk_accessible_update_property(GTK_ACCESSIBLE(widget), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
}
