package board

func (d *drawing) matrix()     {}
func (d *drawing) aggregates() {}
