package configs

// Exposed names the variables of the environment that hold a secret themselves
// instead of the path of its file. Every process that a program starts inherits them,
// and whoever may look into a process reads them. The doctor asks for them.
func (c *Config) Exposed() []string {
	var names []string
	for _, s := range c.settings {
		if s.secret() && s.source == s.env {
			names = append(names, s.env)
		}
	}
	return names
}
